import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAnswerWords } from "../../src/kernel/questions/approval-words.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

const room = { user: "alice", chat: "room", group: true } as const;

describe("with one question open", () => {
  it.each(["不", "取消", "算了", "no", "キャンセル"])("%s closes it right after the asker's own button", async (no) => {
    await kurisu.say("poke a");
    await kurisu.press(kurisu.lastPrompt(), "approve");
    await kurisu.say("poke b");
    await kurisu.say(no);
    expect(await kurisu.questions()).toEqual([]);
    expect(kurisu.did()).toEqual(["a"]);
  });

  it.each(["不", "取消"])("%s closes what 「重来」 asked anew", async (no) => {
    await kurisu.say("poke a");
    kurisu.clock.advance(700_000);
    await kurisu.say("确认");
    await kurisu.say("重来");
    expect(await kurisu.questions()).toHaveLength(1);
    await kurisu.say(no);
    expect(await kurisu.questions()).toEqual([]);
    expect(kurisu.did()).toEqual([]);
  });

  it("an approval after the button still needs the code, and the hint keeps what was typed", async () => {
    await kurisu.say("poke a");
    await kurisu.press(kurisu.lastPrompt(), "approve");
    await kurisu.say("poke b");
    const code = codeOf(kurisu.lastPrompt());
    await kurisu.say("确认 30分钟");
    expect(kurisu.lastText()).toContain(`「确认 ${code} 30分钟」`);
    await kurisu.say("Confirm!");
    expect(kurisu.lastText()).toContain(`"confirm ${code}"`);
    expect(kurisu.did()).toEqual(["a"]);
    await kurisu.say(`确认 ${code} 30分钟`);
    expect(kurisu.did()).toEqual(["a", "b"]);
  });
});

describe("with several open", () => {
  it.each([
    ["不", "「不 X」"],
    ["取消", "「取消 X」"],
    ["cancel", '"cancel X"'],
    ["取消 2", "「取消 X 2」"],
    ["确认 1", "「确认 X 1」"],
    ["やめて", "「やめて X」"],
  ])("%s names them by code, in the words that were typed", async (said, hint) => {
    await kurisu.say("poke a");
    await kurisu.say("poke b");
    const codes = (await kurisu.questions()).map(({ code }) => code);
    await kurisu.say(said);
    for (const code of codes) expect(kurisu.lastText()).toContain(code);
    expect(kurisu.lastText()).toContain(hint.replace("X", codes[0] ?? ""));
    const yeses = kurisu.lastText().replace(hint.replace("X", codes[0] ?? ""), "");
    expect(yeses).not.toMatch(/确认|confirm|承認/);
    expect(await kurisu.questions()).toHaveLength(2);
    // The hint itself is an answer.
    const [, example = ""] = /[「"]([^」"]+)[」"]/.exec(kurisu.lastText()) ?? [];
    expect(readAnswerWords(example)).toEqual({ ...readAnswerWords(said), code: codes[0] });
  });

  it("a rejection of a closed question gets no word about confirming it", async () => {
    await kurisu.say("poke a");
    const prompt = kurisu.lastPrompt();
    kurisu.clock.advance(700_000);
    await kurisu.say(`取消 ${codeOf(prompt)}`);
    await kurisu.say(`取消 ${codeOf(prompt)}`);
    expect(kurisu.lastText()).toContain(`${codeOf(prompt)} 已经过期，没有执行。`);
    await kurisu.say("poke b");
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`);
    await kurisu.say(`取消 ${codeOf(kurisu.lastPrompt())}`);
    expect(kurisu.lastText()).toContain("收不回");
  });
});

describe("「重来」 after one's own no", () => {
  it.each(["取消", "button"])("asks the same again (%s)", async (how) => {
    await kurisu.say("poke a");
    if (how === "button") await kurisu.press(kurisu.lastPrompt(), "reject");
    else await kurisu.say(how);
    await kurisu.say("重来");
    const [again] = await kurisu.questions();
    expect(again?.calls.map(({ summary }) => summary)).toEqual(["a"]);
    await kurisu.say(`确认 ${again?.code}`);
    expect(kurisu.did()).toEqual(["a"]);
  });

  it("asks only what was said no to", async () => {
    await kurisu.say("poke a; poke b");
    const firstPrompt = kurisu.lastPrompt();
    await kurisu.say("取消 2");
    const [rest] = await kurisu.questions();
    await kurisu.say(`取消 ${rest?.code}`);
    const first = codeOf(firstPrompt);
    await kurisu.say(`重来 ${first}`);
    const [again] = await kurisu.questions();
    expect(again?.calls.map(({ summary }) => summary)).toEqual(["b"]);
  });

  it("「重来」 does not repeat what another person rejected", async () => {
    await kurisu.say("poke a", room);
    await kurisu.say("取消", { user: "owner", chat: "room", group: true });
    await kurisu.say("重来", room);
    expect(await kurisu.questions()).toEqual([]);
  });
});
