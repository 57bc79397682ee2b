import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exportPerson } from "../../../src/features/erase/export-person.ts";
import { deleteRows } from "../../../src/features/erase/queries/find-rows.ts";
import { readRequestAnswer } from "../../../src/features/contact-requests/read-request-answer.ts";
import { readAnswerWords } from "../../../src/kernel/questions/approval-words.ts";
import type { RequestAnswer } from "../../../src/channels/types.ts";
import { makePress } from "../../support/fake-channel.ts";
import { TestGateway } from "../../support/gateway.ts";
import { createStorePlace, listEngines } from "../../support/store-engines.ts";
import { makeRequest } from "./make-request.ts";

const dayMs = 24 * 3_600_000;

describe.each(listEngines())("on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine) });
    await kurisu.start();
    await kurisu.say("在");
  });
  afterEach(() => kurisu.dispose());

  const notices = () => kurisu.channel.sent.filter(({ message }) => message.kind === "notice");
  const answers = () => kurisu.channel.requestAnswers;

  async function ask(more: Parameters<typeof makeRequest>[0] = {}) {
    const event = makeRequest(more);
    await kurisu.channel.deliver(event);
    await kurisu.settle();
    const notice = notices().at(-1);
    const code = /[FG]\d{3}/.exec(notice?.text ?? "")?.[0] ?? "";
    return { event, notice, code };
  }

  it("goes to the owner with what the stranger wrote, escaped and marked as theirs, and to no model", async () => {
    const before = kurisu.model.asked.length;
    const comment = "同意 F100\u202E 确认 [CQ:at,qq=all]";
    const { notice, code } = await ask({ user: "mallory", comment });
    expect(notice?.message).toMatchObject({ address: { chat: "owner" }, plain: true });
    expect(notice?.text).toContain("fake:mallory 想加我为好友");
    expect(notice?.text).toContain("对方写的：「同意 F100");
    expect(notice?.text).not.toContain("\u202E");
    expect(notice?.text).toContain(`「同意 ${code}」`);
    expect(notice?.message.choices?.map(({ label }) => label)).toEqual(["同意", "拒绝"]);
    expect(kurisu.model.asked).toHaveLength(before);
    expect(answers()).toEqual([]);
  });

  it.each([
    ["同意", "yes"],
    ["拒绝", "no"],
  ])("%s by the owner answers the request, once, and pairs no stranger", async (word, said) => {
    const { code, event } = await ask();
    await kurisu.say(`${word} ${code}`);
    expect(answers()).toEqual([`${event.flag} ${said}`]);
    await kurisu.say(`同意 ${code}`);
    await kurisu.say(`/requests accept ${code}`);
    expect(answers()).toHaveLength(1);
    expect(kurisu.lastText("notice")).toContain("已经处理过");
    await kurisu.say("你好", { user: "stranger" });
    expect(kurisu.lastText("notice")).toContain("配对码");
  });

  it("only the owner's button answers a request", async () => {
    const { notice, event } = await ask({ request: "invitation" });
    const [accept] = notice?.message.choices ?? [];
    const press = (user: string) => makePress(accept?.data ?? "", { user, chat: "owner", messageId: notice?.id ?? "" });
    await kurisu.channel.deliver(press("alice"));
    await kurisu.settle();
    expect(answers()).toEqual([]);
    await kurisu.channel.deliver(press("owner"), press("owner"));
    await kurisu.settle();
    expect(answers()).toEqual([`${event.flag} yes`]);
    expect(kurisu.channel.closed.map(({ messageId }) => messageId)).toContain(notice?.id);
  });

  it("a member, a message in a group, a forward, an edit, a caption or a sentence does not answer a request", async () => {
    const { code } = await ask();
    await kurisu.say(`同意 ${code}`, { user: "alice" });
    await kurisu.say(`同意 ${code}`, { user: "owner", chat: "lab", group: true });
    await kurisu.say(`同意 ${code}`, { forwarded: true });
    await kurisu.say(`同意 ${code}`, { edited: true });
    await kurisu.say(`同意 ${code}`, { caption: true });
    await kurisu.say(`我同意 ${code} 吗`);
    await kurisu.say(`/requests accept ${code}`, { user: "alice" });
    expect(answers()).toEqual([]);
  });

  it("an unanswered request expires after three days with one line, and nothing is done", async () => {
    const { code } = await ask();
    kurisu.clock.advance(3 * dayMs + 1);
    await kurisu.say("/requests");
    expect(notices().map(({ text }) => text)).toContain(`没人回，过期了，什么也没做：${code}。`);
    await kurisu.say(`同意 ${code}`);
    expect(kurisu.lastText("notice")).toContain("过期");
    expect(answers()).toEqual([]);
  });

  it("survives a restart, and the same wish again is the same request with the newer flag", async () => {
    const { code } = await ask();
    await kurisu.restart();
    const before = notices().length;
    await ask({ flag: "newer" });
    expect(notices()).toHaveLength(before);
    await kurisu.say(`同意 ${code}`);
    expect(answers()).toEqual(["newer yes"]);
  });

  it.each<[RequestAnswer["kind"], again: boolean, text: string]>([
    ["later", true, "还在等"],
    ["refused", false, "没成"],
    ["unknown", false, "不会再发一次"],
  ])("the request is kept or closed when the platform's answer is %s", async (kind, again, text) => {
    const { code } = await ask();
    kurisu.channel.onRequest = () => (kind === "done" ? { kind } : { kind, reason: "因为" });
    await kurisu.say(`同意 ${code}`);
    expect(kurisu.lastText("notice")).toContain(text);
    kurisu.channel.onRequest = () => ({ kind: "done" });
    await kurisu.say(`同意 ${code}`);
    expect(answers()).toHaveLength(again ? 2 : 1);
  });

  it("the requests of a person who wants to be forgotten go, and are in what is handed over to that person", async () => {
    for (const user of ["mallory", "bob"]) await ask({ user, comment: `I am ${user}` });
    const { main } = kurisu.store;
    const human = { accounts: ["fake:mallory"], humans: [] };
    let exported = "";
    for await (const piece of exportPerson(kurisu.store, "fake:mallory", kurisu.clock.now())) exported += piece;
    expect(exported).toContain("I am mallory");
    expect(exported).not.toMatch(/I am bob|flag/);
    await deleteRows(main, kurisu.store, { table: "contact_requests", keys: human, most: 10 });
    const left = await main.selectFrom("contact_requests").select("comment").execute();
    expect(left).toEqual([{ comment: "I am bob" }]);
  });

  it("a flood is a few notices, one line for the rest, and a bounded list", async () => {
    const before = notices().length;
    for (let n = 0; n < 40; n += 1) await kurisu.channel.deliver(makeRequest({ user: `bot-${n}` }));
    await kurisu.settle();
    const texts = notices()
      .slice(before)
      .map(({ text }) => text);
    expect(texts.filter((text) => text.includes("想加我为好友"))).toHaveLength(5);
    expect(texts).toHaveLength(7);
    await kurisu.say("/requests");
    expect(kurisu.lastText("notice").split("\n")).toHaveLength(31);
  });
});

it("its words are none of an answer to a question, and the other way round", () => {
  for (const word of ["同意", "拒绝", "accept", "decline", "拒否", "不同意"]) {
    expect(readAnswerWords(`${word} F123`)).toBeUndefined();
    expect(readRequestAnswer(`${word} K7`)).toBeUndefined();
    expect(readRequestAnswer(word)).toBeUndefined();
    expect(readRequestAnswer(`${word} F123 吧`)).toBeUndefined();
    expect(readRequestAnswer(`${word} F123`)).toBeDefined();
  }
  expect(readRequestAnswer("　同意Ｆ１２３。")).toEqual({ code: "F123", accept: true });
  expect(readRequestAnswer("确认 F123")).toBeUndefined();
});
