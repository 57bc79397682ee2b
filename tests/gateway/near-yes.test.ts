import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAnswerWords } from "../../src/gateway/approvals/approval-words.ts";
import { readNearYes } from "../../src/gateway/approvals/near-yes.ts";
import * as replies from "../support/approval-replies.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";

const near =
  "好|好的|好吧|行|可以|嗯|确认一下|确认吧|没问题|同意|ok|OK!|Okay.|sure|y|yeah|go ahead|do it|はい|うん|お願いします|👍|👍🏻|好。|「好」| ok ";
const others = "好吃|好不好|可以吗|ok?|行李|y2k|好 今天天气不错|嗯……|是谁|go home|sure thing bob|はいはいはい|继续|K7|";

describe("readNearYes", () => {
  it.each(near.split("|"))("reads %j, which approves nothing", (text) => {
    expect(readNearYes(text)).toEqual({});
    expect(readAnswerWords(text)).toBeUndefined();
  });

  it.each(others.split("|"))("does not read %j", (text) => {
    expect(readNearYes(text)).toBeUndefined();
  });

  it.each(["好 K7", "好k7", "ok k7", "go ahead #K7"])("reads the code of %j", (text) => {
    expect(readNearYes(text)).toEqual({ code: "K7" });
    expect(readAnswerWords(text)).toBeUndefined();
  });

  it("never takes for nearly a yes what is an answer", () => {
    const answers = [...replies.approving, ...replies.rejecting, ...replies.repeating, ...replies.previewing];
    expect(answers.filter((text) => readNearYes(text) !== undefined)).toEqual([]);
  });
});

describe("nearly a yes", () => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway();
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());
  const room = { chat: "room", group: true } as const;
  const alice = { ...room, user: "alice" } as const;

  it.each([
    ["好", "X 还在等。要执行就回「确认」。"],
    ["ok", 'X still waits. To run it, reply "confirm".'],
    ["はい", "X はまだ返事待ちです。実行するなら「承認」と返してください。"],
  ])("gets one fixed line while a question waits, and the model does not hear it: %s", async (said, line) => {
    await kurisu.say("poke a");
    const asked = kurisu.model.asked.length;
    await kurisu.say(said);
    await kurisu.say(said);
    expect(kurisu.lastText()).toBe(line.replace("X", codeOf(kurisu.lastPrompt())));
    expect(kurisu.model.asked).toHaveLength(asked);
    expect(await kurisu.questions()).toHaveLength(1);
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual(["a"]);
  });

  it("is talk like any other while nothing waits", async () => {
    await kurisu.say("好");
    expect(kurisu.model.asked).toHaveLength(1);
  });

  it("hears the codes while several wait, or the one it names", async () => {
    await kurisu.say("poke a");
    await kurisu.say("poke b");
    const [one, other] = (await kurisu.questions()).map(({ code }) => code);
    await kurisu.say("好");
    expect(kurisu.lastText()).toContain(`${one}、${other}`);
    await kurisu.say(`好 ${other}`);
    expect(kurisu.lastText()).toBe(`${other} 还在等。要执行就回「确认 ${other}」。`);
  });

  it("said to nobody in a group is answered once per question", async () => {
    await kurisu.say("poke a", alice);
    const code = codeOf(kurisu.lastPrompt());
    const asked = kurisu.model.asked.length;
    const sent = kurisu.channel.sent.length;
    for (const word of ["好", "嗯", "ok"]) await kurisu.say(word, { ...alice, addressed: false });
    expect(kurisu.channel.sent).toHaveLength(sent + 1);
    expect(kurisu.lastText()).toMatch(new RegExp(`^${code} .*(?:「确认」|"confirm")`));
    expect(kurisu.model.asked).toHaveLength(asked);
    await kurisu.say("好", alice);
    expect(kurisu.channel.sent).toHaveLength(sent + 2);
  });

  it("of others in the group, of the owner too, is talk of theirs", async () => {
    await kurisu.say("poke a", alice);
    const asked = kurisu.model.asked.length;
    await kurisu.say("好", { ...room, user: "bob" });
    await kurisu.say("好", { ...room, user: "owner" });
    expect(kurisu.model.asked).toHaveLength(asked + 2);
    expect(await kurisu.questions()).toHaveLength(1);
  });

  it("that was edited or forwarded is not answered", async () => {
    await kurisu.say("poke a");
    const sent = kurisu.channel.sent.length;
    await kurisu.say("好", { edited: true });
    expect(kurisu.channel.sent).toHaveLength(sent);
  });
});
