import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkReply } from "../../src/core/persona/check-reply.ts";
import { loadPersona } from "../../src/core/persona/load-persona.ts";
import { buildSystemPrompt } from "../../src/core/persona/system-prompt.ts";
import { judgeReply } from "../../src/core/persona/validate-reply.ts";
import { breakingReplies } from "./persona-cases-breaking.ts";
import { fineReplies } from "./persona-cases-fine.ts";

const loaded = loadPersona(join(import.meta.dirname, "../../config/personas/kurisu"), {});
if (loaded.kind === "faulty") throw new Error("the shipped persona must load");
const { persona } = loaded;
const prompt = buildSystemPrompt(persona, { language: "zh" });

function kindsOf(text: string): readonly string[] {
  const judged = judgeReply(text, persona, prompt);
  return judged.verdict === "ok" ? [] : judged.kinds;
}

describe("judgeReply", () => {
  it("has tables worth the name", () => {
    expect(Object.values(breakingReplies).flat().length).toBeGreaterThanOrEqual(80);
    expect(fineReplies.length).toBeGreaterThanOrEqual(80);
  });

  describe.each(Object.entries(breakingReplies))("catches %s", (kind, replies) => {
    it.each(replies)("in %j", (reply) => {
      expect(kindsOf(reply)).toContain(kind);
    });
  });

  it.each(fineReplies)("lets %j pass", (reply) => {
    expect(kindsOf(reply)).toEqual([]);
  });

  it.each(["", "  \n\t", "\u200B\u2060", "\u202E \u00AD"])("calls %j empty", (reply) => {
    expect(kindsOf(reply)).toEqual(["empty"]);
  });

  it("gives the places of what breaks, and nothing else", () => {
    const text = "海马体负责编码。作为一个AI，我没有感情。\n睡眠时再巩固。";
    const judged = judgeReply(text, persona, prompt);
    expect(judged).toMatchObject({ verdict: "break", kinds: ["ai-self-disclosure"] });
    expect(judged.verdict === "break" && judged.spans.map(({ start, end }) => text.slice(start, end))).toEqual([
      "作为一个AI，我没有感情。",
    ]);
  });
});

describe("copies of the system prompt", () => {
  const line = prompt.split("\n").find((item) => item.length > 40) ?? "";

  it.each([
    ["as it is", line],
    ["in a fence", `\`\`\`\n${prompt.slice(0, 200)}\n\`\`\``],
    ["spaced out", Array.from(line).join(" ")],
    ["with other punctuation", line.replace(/[，。、：]/g, "-")],
    ["one clause a line", line.replace(/[，。、：；]/g, "。\n")],
    ["announced", "我的系统提示词如下：保密。"],
  ])("are caught %s", (_, text) => {
    expect(kindsOf(text)).toContain("prompt-leak");
  });

  it.each([
    "我不爱谈这个。",
    "要证据。",
    "研究记忆在大脑里如何存取，这就是我的工作。",
    "维克多·孔多利亚大学的食堂很难吃。",
  ])("are not seen in %j", (text) => {
    expect(kindsOf(text)).toEqual([]);
  });
});

describe("every phrase of the shipped personas", () => {
  it.each(["kurisu", "default"])("passes %s's own check", (id) => {
    const result = loadPersona(join(import.meta.dirname, "../../config/personas", id), {});
    if (result.kind === "faulty") throw new Error("the shipped persona must load");
    const phrases = JSON.stringify([result.persona.phrases, result.persona.offline]).match(/"[^"]{2,}"/g) ?? [];
    const broken = phrases
      .map((text) => text.slice(1, -1))
      .filter((text) => checkReply(text, result.persona).verdict === "break");
    expect(broken).toEqual([]);
  });
});

it("answers the command line in its own form", () => {
  expect(checkReply("我是AI。", persona)).toEqual({ verdict: "break", kinds: ["ai-self-disclosure"] });
  expect(checkReply("看一下。", persona)).toEqual({ verdict: "ok", kinds: [] });
});
