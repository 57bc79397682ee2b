import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { enforceReply } from "../../../src/core/persona/enforce-reply.ts";
import { indexPrompt } from "../../../src/core/persona/find-prompt-overlap.ts";
import { findOpening, repeatsOpening, withoutOpening } from "../../../src/core/persona/repeated-opening.ts";
import { createSentenceStream } from "../../../src/core/persona/sentence-stream.ts";
import { createReplyJudge } from "../../../src/core/persona/validate-reply.ts";
import { loadPersona } from "../../../src/core/persona/load-persona.ts";

describe("findOpening", () => {
  it.each([
    ["哼，谁稀罕。", "哼"],
    ["哼……才没有。", "哼"],
    ["Hmph, as if.", "hmph"],
    ["Look, it is simple.", "look"],
    ["べ、別にいいけど。", ""],
    ["ふ、ふん、勝手にすれば。", "ふん"],
    ["まあ、悪くない。", "まあ"],
    ["哼。", ""],
    ["哼，", ""],
    ["哼哼唧唧的，吵死了。", ""],
    ["Looking at it, yes.", ""],
    ["明天，记得带伞。", ""],
    ["", ""],
  ])("the opening of %j is %j", (reply, opening) => {
    expect(findOpening(reply)).toBe(opening);
  });
});

it.each([
  [["哼", "", "哼"], true],
  [["哼", "哼", "", ""], true],
  [["哼", "", "", ""], false],
  [["嗯", "嗯"], false],
  [[], false],
])("repeatsOpening, after replies that opened with %j, judges 哼 a repetition: %j", (openings, repeated) => {
  expect(repeatsOpening("哼，谁稀罕。", openings)).toBe(repeated);
});

it.each([
  ["哼，谁稀罕。", "谁稀罕。"],
  ["Look, it is simple.", "It is simple."],
  ["So, npm install fails.", "npm install fails."],
  ["没有。", "没有。"],
])("%j without its opening is %j", (reply, rest) => {
  expect(withoutOpening(reply)).toBe(rest);
});

it("the interjection goes and the sentence stays, in the stream as in the enforced reply", () => {
  const loaded = loadPersona(join(import.meta.dirname, "../../../config/personas/default"), {});
  if (loaded.kind === "faulty") throw new Error("the shipped persona must load");
  const { persona } = loaded;
  const judge = createReplyJudge(persona, indexPrompt(persona.soul), { acted: false, openings: ["哼", "哼"] });
  const draft = "哼，谁稀罕。哼，不过还是谢了。";
  const shown: string[] = [];
  const stream = createSentenceStream({ judge, onText: (text) => shown.push(text) });
  for (const letter of draft) stream.push(letter);
  stream.end();
  expect(shown.join("")).toBe("谁稀罕。哼，不过还是谢了。");
  const enforced = enforceReply({ draft, judge, language: "zh", attempt: 1, shown: "", fallback: "……" });
  expect(enforced).toMatchObject({ kind: "ok", text: "谁稀罕。哼，不过还是谢了。" });
});
