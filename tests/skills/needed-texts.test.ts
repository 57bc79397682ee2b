import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandPattern } from "../../src/skills/matching/expand-pattern.ts";
import { findNeededTexts } from "../../src/skills/matching/find-needed-texts.ts";
import { normalizeUtterance } from "../../src/skills/matching/normalize-utterance.ts";
import { writePair } from "../../src/skills/matching/write-pair.ts";
import { loadAllSkills } from "../support/all-skills.ts";

describe("findNeededTexts", () => {
  it.each([
    ["查一下", ["查一下"]],
    ["(?:查|搜)(?:一下)?天气", ["天气"]],
    ["a|bc", ["a", "bc"]],
    ["\\bgit\\b", ["git"]],
    ["colou?r", ["colo"]],
    ["(?:ab)+", ["ab"]],
    ["x{2,3}y", ["x"]],
    ["[ab]", ["a", "b"]],
    ["a\\.md", ["a.md"]],
    ["(?!no)yes", ["yes"]],
    ["(?<=no)(?<name>yes)", ["yes"]],
  ])("%s needs %j", (source, texts) => {
    expect([...(findNeededTexts(source) ?? [])]).toEqual(texts);
  });

  it.each(["a*", "[^a]", "\\d+", "(?:a|)", "a?b?", ".", "(?:a|\\p{L})", "[a-z]", "", ")a"])(
    "%s tells nothing",
    (source) => {
      expect(findNeededTexts(source)).toBeUndefined();
    },
  );

  it("never misses: whatever a shipped pattern matches holds one of its texts", () => {
    const skills = loadAllSkills().list();
    const patterns = skills.flatMap(({ trigger }) =>
      trigger.intents.flatMap((intent) =>
        typeof intent === "string"
          ? []
          : [...intent.patterns, ...intent.pairs.flatMap((pair) => writePair(pair, trigger.words) ?? [])].flatMap(
              (one) => expandPattern(one, trigger.words) ?? [],
            ),
      ),
    );
    expect(patterns.length).toBeGreaterThan(100);
    const characters = Array.from(
      "几点了查搜天气文件跑一下git commit写代码记住我提醒闹钟群里说过技能打开网页 ,.?123abc現在何時",
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...characters), { maxLength: 20 }), (parts) => {
        const text = normalizeUtterance(parts.join(""));
        const missed = patterns.filter((pattern) => {
          const needed = findNeededTexts(pattern.source);
          return needed && !text.matchAll(pattern).next().done && ![...needed].some((one) => text.includes(one));
        });
        expect(missed.map(({ source }) => source)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("normalizeUtterance", () => {
  it("folds width, capitals, traditional characters and invisible ones", () => {
    expect(normalizeUtterance(" ＷＨＡＴ　現在\u200b幾點 ")).toBe("what 现在几点");
  });
});
