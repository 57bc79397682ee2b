/* Every fixed text in three languages with 0, 1 and 2 of whatever it counts: plurals, spaces, and no tags of names. */
import { describe, expect, it } from "vitest";
import type { Language } from "../../src/core/conversation.ts";
import { listFixedTexts } from "../support/list-fixed-texts.ts";

const languages: readonly Language[] = ["zh", "en", "ja"];

/** Words behind a "1" that end in s and are no plural. */
const singular =
  "is|was|has|does|this|its|us|as|less|stands|ends|waits|needs|lacks|asks|wants|keeps|goes|takes|says|brings|stays|waits|status|process";
const plural = new RegExp(String.raw`(?<![\w.,:#/-])1 (?:more |open |other )?(?!(?:${singular})\b)[a-z]{2,}s\b`);
const missingSpace = /[a-z0-9)"”][.!?;][A-Z]|[a-z][,;][a-z]/;
const tag = /#[0-9a-f]{6}/;

describe.each(languages)("fixed texts in %s", (language) => {
  const counted = [0, 1, 2].map((count) => listFixedTexts(language, count));
  const find = (fault: RegExp) =>
    Object.fromEntries(counted.flat().flatMap(({ path, text }) => (fault.test(text) ? [[path, text] as const] : [])));

  it("the sample arguments reach nearly all fixed texts", () => {
    const reached = new Set(counted.flat().map(({ path }) => path));
    expect(reached.size).toBeGreaterThan(80);
  });

  it("say one of a thing in the singular", () => {
    expect(find(plural)).toEqual({});
  });

  it("fixed texts have a space after every stop between Latin sentences", () => {
    expect(find(missingSpace)).toEqual({});
  });

  it("fixed texts never name a person by a tag", () => {
    expect(find(tag)).toEqual({});
  });
});
