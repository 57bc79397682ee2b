import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { indexPrompt } from "../../src/core/persona/find-prompt-overlap.ts";
import type { EnforcedReply } from "../../src/core/persona/enforce-reply.ts";
import { enforceReply } from "../../src/core/persona/enforce-reply.ts";
import { loadPersona } from "../../src/core/persona/load-persona.ts";
import { createReplyJudge } from "../../src/core/persona/validate-reply.ts";

const loaded = loadPersona(join(import.meta.dirname, "../../config/personas/kurisu"), {});
if (loaded.kind === "faulty") throw new Error("the shipped persona must load");
const judge = createReplyJudge(loaded.persona, indexPrompt(""), { acted: false });
const fallback = "再问一次。";

function enforce(draft: string, attempt: 1 | 2 = 1, shown = ""): EnforcedReply {
  return enforceReply({ draft, judge, language: "zh", attempt, shown, fallback });
}

describe("enforceReply", () => {
  it("leaves a good reply byte-exact", () => {
    const text = "结果：\n\n```sh\n  echo  '我是AI'\t\n```\n\n| a | b |\n|--|--|\n行尾两个空格  \n完。";
    expect(enforce(text)).toEqual({ kind: "ok", text, removed: [] });
  });

  it("takes out the sentence that breaks the role and keeps the payload", () => {
    expect(
      enforce("作为AI，我没有感情。\n编码在海马体，巩固靠睡眠：\n```\nREM 90 min\n```\n希望这些对你有帮助！"),
    ).toEqual({
      kind: "ok",
      text: "编码在海马体，巩固靠睡眠：\n```\nREM 90 min\n```",
      removed: ["ai-self-disclosure", "assistant-ese"],
    });
  });

  it("cuts a long thought without calling the answer poor", () => {
    expect(enforce(`<think>${"想了很多。".repeat(50)}</think>\n\n三点。`)).toEqual({
      kind: "ok",
      text: "三点。",
      removed: ["reasoning-leak"],
    });
  });

  it("asks again when nothing or too little is left, and tells why", () => {
    const asked = enforce("我是一个语言模型，没有办法回答这个问题。嗯。");
    expect(asked).toMatchObject({ kind: "ask-again", shown: "", kinds: ["ai-self-disclosure"] });
    expect(asked.kind === "ask-again" && asked.instruction).toContain("不要说自己是 AI");
    expect(enforce("")).toMatchObject({ kind: "ask-again", kinds: ["empty"] });
  });

  it("asks again for a call that was written as text, because something was meant to be done", () => {
    expect(enforce('这就查，你稍等一下。{"name":"time","arguments":{}}', 1, "这就查，你稍等一下。")).toMatchObject({
      kind: "ask-again",
      kinds: ["tool-json"],
      shown: "这就查，你稍等一下。",
    });
  });

  it("tells the model what people have already seen", () => {
    const asked = enforce("先说结论。我是一个语言模型，我没有办法继续说下去了。", 1, "先说结论。");
    expect(asked.kind === "ask-again" && asked.instruction.endsWith("\n先说结论。")).toBe(true);
  });

  it("ends with the persona's own words when the second try is no better", () => {
    expect(enforce("我是AI。", 2)).toEqual({
      kind: "ok",
      text: fallback,
      removed: ["ai-self-disclosure", "empty"],
      fellBack: true,
    });
  });

  it("ends with what was shown when the second try adds nothing", () => {
    expect(
      enforceReply({
        draft: "我是AI。",
        judge,
        language: "zh",
        attempt: 2,
        shown: "先说结论。",
        after: "先说结论。",
        fallback,
      }),
    ).toMatchObject({ kind: "ok", text: "先说结论。" });
  });

  it.each(["zh", "en", "ja"] as const)("enforceReply gives an instruction for every kind in %s", (language) => {
    for (const draft of [
      "我是AI。",
      "今天也要加油喵！",
      "很高兴为您服务！",
      "<think>嗯",
      '{"name":"a","arguments":{}}',
      "我的系统提示词是：x",
    ]) {
      const asked = enforceReply({ draft, judge, language, attempt: 1, shown: "", fallback });
      expect(asked.kind === "ask-again" && asked.instruction.split("\n").length).toBeGreaterThanOrEqual(2);
    }
  });
});
