import { afterEach, describe, expect, it } from "vitest";
import { makeMessage, type Said } from "../../support/fake-channel.ts";
import { codeOf, TestGateway } from "../../support/gateway.ts";
import type { TestGatewayOptions } from "../../support/gateway-options.ts";

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

const club = { group: true, chat: "club" } as const;
const from = (user: string): Said => ({ ...club, user, addressed: false });
const toHer = (user: string): Said => ({ ...club, user });

async function start(options: TestGatewayOptions = {}): Promise<void> {
  kurisu = new TestGateway(options);
  kurisu.model.script = () => ({ text: "好。" });
  await kurisu.start();
  await kurisu.say("在吗");
}

const replies = (): number => kurisu.channel.sent.filter(({ message }) => message.kind === "reply").length;
const notices = (): readonly string[] =>
  kurisu.channel.sent.flatMap(({ message, text }) =>
    message.kind === "notice" && message.address.chat === "owner" ? [text] : [],
  );

/** Whether something is answered in the group. */
async function isAnswered(text: string, said: Said): Promise<boolean> {
  const before = replies();
  await kurisu.say(text, said);
  return replies() > before;
}

describe("in a group where she hears everything", () => {
  it("she answers people who call her, go on with her or ask the whole group, and stays out of the rest", async () => {
    await start({ observe: true });
    expect(await isAnswered("晚上吃火锅", from("bob"))).toBe(false);
    expect(await isAnswered("Kurisu，查一下天气", from("alice"))).toBe(true);
    expect(JSON.stringify(kurisu.model.asked.at(-1))).toContain("火锅");
    kurisu.clock.advance(60_000);
    expect(await isAnswered("那后天呢", from("alice"))).toBe(true);
    expect(await isAnswered("@bob 你看", from("alice"))).toBe(false);
    expect(await isAnswered("嗯嗯", from("bob"))).toBe(false);
    expect(await isAnswered("再说一遍", from("alice"))).toBe(false);
    expect(await isAnswered("助手，再说一遍", from("alice"))).toBe(true);
    kurisu.clock.advance(121_000);
    expect(await isAnswered("挺好", from("alice"))).toBe(false);
    expect(await isAnswered("有人知道几点开会吗", from("carol"))).toBe(true);
    const quote = { messageId: "in-1", fromUs: false, text: "八点开会" };
    expect(await isAnswered("助手，真的吗？", { ...from("carol"), quote })).toBe(false);
    expect(await isAnswered("你吃了吗", from("bob"))).toBe(false);
    await kurisu.say("/status", from("bob"));
    expect(kurisu.lastText("notice")).not.toBe("");
    const sent = kurisu.channel.sent.length;
    await kurisu.say("/roll 20", from("bob"));
    expect(kurisu.channel.sent).toHaveLength(sent);
  });

  it("she goes on with a person whose first message she is still answering", async () => {
    await start();
    const work = Promise.withResolvers<void>();
    kurisu.model.script = async () => {
      await work.promise;
      return { text: "好。" };
    };
    const asked = kurisu.model.asked.length;
    await kurisu.channel.deliver(makeMessage("助手，查一下天气", from("alice")));
    await kurisu.until(() => kurisu.model.asked.length > asked);
    await kurisu.channel.deliver(makeMessage("上海的", from("alice")), makeMessage("我去买菜", from("bob")));
    work.resolve();
    const before = replies();
    await kurisu.settle();
    expect(replies()).toBe(before + 2);
  });

  it("she answers all of it only where that is set, and nothing but what addresses her with mentionOnly", async () => {
    await start({ answerAll: true });
    expect(await isAnswered("晚上吃火锅", from("bob"))).toBe(true);
    await kurisu.dispose();
    await start({ answerAll: true, mentionOnly: true });
    expect(await isAnswered("助手，查一下天气", from("alice"))).toBe(false);
    expect(await isAnswered("有人知道几点开会吗", from("alice"))).toBe(false);
  });
});

/** Somebody who says each of her messages back at once. */
function echo(said: Said): void {
  kurisu.channel.onSend = (message) => {
    if (message.address.chat === said.chat)
      setImmediate(() => void kurisu.channel.deliver(makeMessage(message.text, said)).catch(() => undefined));
    return undefined;
  };
}

/** Until the conversation has ended by itself. */
async function listen(told: number): Promise<void> {
  await kurisu.until(() => notices().length === told);
  await kurisu.settle();
}

describe("a sender who answers her like a machine", () => {
  it.each([
    ["in a group", toHer("alice")],
    ["in private", { user: "alice", chat: "alice" }],
  ] as const)("she stops answering the sender for a while, %s", async (_, machine) => {
    await start({ mentionOnly: true });
    const before = replies();
    echo(machine);
    await kurisu.say("你好", machine);
    await listen(1);
    expect(replies() - before).toBe(8);
    expect(notices()[0]).toContain("fake:alice");
    kurisu.channel.onSend = () => undefined;
    expect(await isAnswered("换个话题", machine)).toBe(false);
    // Commands pass, and so do other people and her owner.
    await kurisu.say("/status", machine);
    expect(kurisu.lastText("notice")).toContain("模型");
    expect(await isAnswered("你好", toHer("bob"))).toBe(true);
    kurisu.clock.advance(10 * 60_000);
    expect(await isAnswered("换个话题", machine)).toBe(true);
    // It goes on: twice as long, and nobody is told again.
    echo(machine);
    await kurisu.say("你好", machine);
    const quiet = async () => {
      const count = replies();
      await new Promise((resolve) => setTimeout(resolve, 20));
      await kurisu.settle();
      return count === replies();
    };
    await kurisu.until(quiet);
    kurisu.channel.onSend = () => undefined;
    kurisu.clock.advance(19 * 60_000);
    expect(await isAnswered("还在吗", machine)).toBe(false);
    kurisu.clock.advance(60_000);
    expect(await isAnswered("还在吗", machine)).toBe(true);
    expect(notices()).toHaveLength(1);
  });

  it("the sender can still confirm a question", async () => {
    await start();
    kurisu.model.script = ({ results, text }) =>
      results.length === 0 && text.includes("戳")
        ? { calls: [{ name: "poke", arguments: { what: "a" } }] }
        : { text: "好。" };
    await kurisu.say("戳一下", toHer("alice"));
    for (let time = 0; time < 9; time += 1) await kurisu.say("好的收到", toHer("alice"));
    expect(await isAnswered("好的收到", toHer("alice"))).toBe(false);
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, toHer("alice"));
    expect(kurisu.did()).toEqual(["a"]);
  });

  it("quick people with their own words, owners and people who take turns are not taken for a machine", async () => {
    await start({ limits: { messages: { person: 100, owner: 100, all: 1_000 } } });
    const words = [
      "早",
      "天气怎么样",
      "火锅好吃",
      "明天开会",
      "买点牛奶",
      "猫又跑了",
      "好累啊",
      "唱首歌吧",
      "看书去",
      "晚安",
    ];
    for (const text of words) {
      kurisu.clock.advance(6_000);
      expect(await isAnswered(text, toHer("alice"))).toBe(true);
    }
    for (let time = 0; time < 12; time += 1) expect(await isAnswered("好的", toHer("owner"))).toBe(true);
    for (let time = 0; time < 12; time += 1)
      expect(await isAnswered("好的", toHer(time % 2 === 0 ? "alice" : "bob"))).toBe(true);
    expect(notices()).toEqual([]);
  });
});
