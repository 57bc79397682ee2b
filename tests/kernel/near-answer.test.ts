import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAnswerWords } from "../../src/kernel/questions/approval-words.ts";
import { readNearAnswer } from "../../src/kernel/questions/near-answer.ts";
import * as replies from "../support/approval-replies.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";

const near =
  "ok do it|do it|go for it|行，跑吧|嗯…执行吧|yes please|嗯，执行吧|好的，可以。|ok, go ahead|确认，执行吧|yes, go please|好的 谢谢|嗯 好|thanks, go|y!|好|好的|好吧|行|可以|嗯|确认一下|确认吧|没问题|同意|ok|OK!|Okay.|sure|y|yeah|go ahead|do it|はい|うん|お願いします|👍|👍🏻|好。|「好」| ok ";
const others =
  "好吃|好不好|可以吗|ok?|行李|y2k|好 今天天气不错|嗯……|是谁|go home|谢谢|好，再加一行|yes, and then|sure thing bob|はいはいはい|继续|K7|";

const refusals =
  "别跑|cancel all|等等|不要了|嗯，别跑|好，取消|no, don't run it|wait, no|Hold on!|全部取消|取消吧|no thanks|never mind|yes no|待って|先别跑。|「等一下」";

describe("readNearAnswer", () => {
  it.each(near.split("|"))("reads %j, which approves nothing", (text) => {
    expect(readNearAnswer(text)).toEqual({ kind: "yes" });
    expect(readAnswerWords(text)).toBeUndefined();
  });

  it.each(others.split("|"))("readNearAnswer does not match %j", (text) => {
    expect(readNearAnswer(text)).toBeUndefined();
  });

  it.each(["好 K7", "好k7", "ok k7", "go ahead #K7"])("reads the code of %j", (text) => {
    expect(readNearAnswer(text)).toEqual({ kind: "yes", code: "K7" });
    expect(readAnswerWords(text)).toBeUndefined();
  });

  it.each(refusals.split("|"))("reads %j, which cancels nothing", (text) => {
    expect(readNearAnswer(text)).toEqual({ kind: "no" });
    expect(readAnswerWords(text)).toBeUndefined();
  });

  it.each(["别跑 K7", "cancel it #k7", "等等 K7", "don't run it K7"])("reads the code of the refusal %j", (text) => {
    expect(readNearAnswer(text)).toEqual({ kind: "no", code: "K7" });
  });

  it("readNearAnswer never matches a real answer", () => {
    const answers = [...replies.approving, ...replies.rejecting, ...replies.repeating, ...replies.previewing];
    expect(answers.filter((text) => readNearAnswer(text) !== undefined)).toEqual([]);
  });
});

describe("a reply that is nearly an approval", () => {
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

  it.each([
    ["别跑", "X 还在等，没有执行。不要了就回「取消」。"],
    ["cancel all", 'X still waits and has not run. To drop it, reply "cancel".'],
    ["ちょっと待って", "X はまだ返事待ちで、実行していません。やめるなら「キャンセル」と返してください。"],
  ])("a near rejection is told how to cancel, and never how to approve: %s", async (said, line) => {
    await kurisu.say("poke a");
    const asked = kurisu.model.asked.length;
    await kurisu.say(said);
    expect(kurisu.lastText()).toBe(line.replace("X", codeOf(kurisu.lastPrompt())));
    expect(kurisu.model.asked).toHaveLength(asked);
    expect(await kurisu.questions()).toHaveLength(1);
  });

  it("a near rejection while several questions wait is told the codes", async () => {
    await kurisu.say("poke a");
    await kurisu.say("poke b");
    const [one, other] = (await kurisu.questions()).map(({ code }) => code);
    await kurisu.say("全部取消");
    expect(kurisu.lastText()).toContain(`${one}、${other} 都还在等`);
    await kurisu.say(`别跑 ${other}`);
    expect(kurisu.lastText()).toContain(`「取消 ${other}」`);
    expect(await kurisu.questions()).toHaveLength(2);
  });

  it("a near rejection of several questions is told of /stop, which drops them all", async () => {
    await kurisu.say("poke a");
    await kurisu.say("poke b");
    const codes = (await kurisu.questions()).map(({ code }) => code).join(", ");
    await kurisu.say("cancel all");
    expect(kurisu.lastText()).toContain("/stop ends what runs in this chat and drops every open question");
    await kurisu.say("/stop please");
    expect(await kurisu.questions()).toEqual([]);
    expect(kurisu.lastText()).toBe(`All right, stopped. ${codes} are void too and did not run.`);
    expect(kurisu.did()).toEqual([]);
  });

  it("a near approval is ordinary talk while nothing waits", async () => {
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

  it("a near approval not addressed to her in a group is answered once per question", async () => {
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

  it("a near approval by others in the group, or by the owner, is ordinary talk", async () => {
    await kurisu.say("poke a", alice);
    const asked = kurisu.model.asked.length;
    await kurisu.say("好", { ...room, user: "bob" });
    await kurisu.say("好", { ...room, user: "owner" });
    expect(kurisu.model.asked).toHaveLength(asked + 2);
    expect(await kurisu.questions()).toHaveLength(1);
  });

  it("an edited near approval is not answered", async () => {
    await kurisu.say("poke a");
    const sent = kurisu.channel.sent.length;
    await kurisu.say("好", { edited: true });
    expect(kurisu.channel.sent).toHaveLength(sent);
  });
});
