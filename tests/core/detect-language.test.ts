import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Language } from "../../src/core/conversation.ts";
import { detectLanguage, languageOfLocale } from "../../src/core/words/detect-language.ts";
import { workTime } from "../support/work-time.ts";

/** Columns: the language, the language of the chat so far (`-` = nobody has said anything: Chinese), the text. */
const labelled = readFileSync(new URL("labelled-languages.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [expected = "", before = "", text = ""] = line.split("\t");
    return { expected, before: (before === "-" ? "zh" : before) as Language, text };
  });

/** None of these may ever be wrong. */
const certain: readonly [text: string, fallback: Language, expected: Language, locale?: string][] = [
  ["运行 echo hi > a.txt; ls", "en", "zh"],
  ["运行 echo hi > a.txt; ls", "zh", "zh"],
  ["今何時", "zh", "ja"],
  ["hello", "zh", "en"],
  ["run ls", "zh", "en"],
  ["ls -la", "zh", "zh"],
  ["git commit -m 'this is the fix for it'", "zh", "zh"],
  ["What does 你好 mean?", "zh", "en"],
  ["「おはよう」是什么意思？", "zh", "zh"],
  ["確認", "ja", "ja"],
  ["確認", "zh", "zh"],
  ["東京", "zh", "ja", "ja-JP"],
  ["你好", "ja", "zh", "ja-JP"],
  ["hello", "zh", "en", "zh-hans"],
  ["来週の予定", "zh", "ja"],
  ["/trust nobody at all", "zh", "zh"],
  ["/dmail 1 换成视觉皮层那个", "en", "zh"],
];

describe("detectLanguage", () => {
  it.each(certain)("%j after %s is %s", (text, fallback, expected, locale) => {
    expect(detectLanguage(text, locale, fallback)).toBe(expected);
  });

  it("detectLanguage recognises at least 97 of 100 first messages, commands, names and mixtures", () => {
    const wrong = labelled.filter(({ text, before, expected }) => detectLanguage(text, undefined, before) !== expected);
    expect(labelled.length).toBeGreaterThanOrEqual(150);
    const rate = wrong.length / labelled.length;
    expect(rate > 0.03 ? wrong.map(({ text }) => text) : []).toEqual([]);
  });

  it("reads a long text of openings without end in no time", () => {
    const begun = workTime();
    for (const piece of ["「", "```", "“", "https://", "@a on ", "a.", "'", "$"])
      detectLanguage(piece.repeat(16_000), undefined, "zh");
    expect(workTime() - begun).toBeLessThan(10_000);
  });
});

describe("languageOfLocale", () => {
  it("knows our languages in any spelling and nothing else", () => {
    const locales = ["zh-Hans", "en_US", "ja", "JA-jp", "ja_JP.UTF-8", "C.UTF-8", "POSIX", "fr", "english", undefined];
    expect(locales.map(languageOfLocale)).toEqual([
      "zh",
      "en",
      "ja",
      "ja",
      "ja",
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
