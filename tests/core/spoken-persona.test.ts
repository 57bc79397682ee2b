import { join } from "node:path";
import { expect, it } from "vitest";
import { loadPersona } from "../../src/core/persona/load-persona.ts";
import { createSpokenPersona } from "../../src/core/persona/spoken-persona.ts";
import { judgeReply } from "../../src/core/persona/validate-reply.ts";

const loaded = loadPersona(join(import.meta.dirname, "../../config/personas/kurisu"), {});
if (loaded.kind === "faulty") throw new Error("the persona of the product has faults");
const { persona } = loaded;

it("makes the prompt of a persona and language once, and anew for another persona", () => {
  let current = persona;
  const spoken = createSpokenPersona(() => current);
  expect(spoken("a", "zh")).toBe(spoken("a", "zh"));
  expect(spoken("a", "en").systemPrompt).not.toBe(spoken("a", "zh").systemPrompt);
  current = { ...persona, soul: "Somebody else entirely." };
  expect(spoken("a", "zh").systemPrompt).toContain("Somebody else entirely.");
});

it("speaks as the persona of each session, all of which are remembered", () => {
  const other = { ...persona, soul: "Somebody else entirely." };
  const spoken = createSpokenPersona((session) => (session === "a" ? persona : other));
  const first = spoken("a", "zh");
  expect(spoken("b", "zh").systemPrompt).toContain("Somebody else entirely.");
  expect(spoken("a", "zh")).toBe(first);
});

it("judges a reply the second time as the first time", () => {
  const spoken = createSpokenPersona(() => persona)("a", "zh");
  for (const text of ["今天也辛苦了。早点休息。", `好的。${persona.soul.slice(0, 200)}`, "我是一个人工智能助手。"]) {
    const first = judgeReply(text, spoken.createJudge({ acted: true }));
    expect(judgeReply(text, spoken.createJudge({ acted: true }))).toEqual(first);
  }
  expect(judgeReply(`好的。${persona.soul.slice(0, 200)}`, spoken.createJudge({ acted: true })).verdict).toBe("break");
});
