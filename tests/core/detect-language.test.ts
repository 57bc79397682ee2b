import { describe, expect, it } from "vitest";
import type { Language } from "../../src/core/conversation.ts";
import { detectLanguage, languageOfLocale } from "../../src/core/words/detect-language.ts";

const cases: readonly [text: string, fallback: Language, expected: Language, locale?: string][] = [
  ["帮我运行 docker compose up -d", "en", "zh"],
  ["用 npm run build 跑一下，然后 git push origin main", "en", "zh"],
  ["明日の天気を教えて", "zh", "ja"],
  ["東京駅の時刻表", "zh", "ja"],
  ["クリスティーナ", "zh", "ja"],
  ["「おはよう」是什么意思？", "zh", "zh"],
  ["おはよう这个词怎么用，能给我讲讲吗", "zh", "zh"],
  ["What does 你好 mean?", "zh", "en"],
  ["could you check the weather", "zh", "en"],
  ["thanks a lot", "zh", "en"],
  ["ok", "zh", "zh"],
  ["OK!", "ja", "ja"],
  ["lol", "en", "en"],
  ["ls -la", "zh", "zh"],
  ["npm install", "zh", "zh"],
  ["1 3", "ja", "ja"],
  ["👍", "en", "en"],
  ["", "ja", "ja"],
  ["https://example.com/the/page/is/here", "zh", "zh"],
  ["確認", "ja", "ja"],
  ["確認", "zh", "zh"],
  ["天気予報", "zh", "ja", "ja-JP"],
  ["你好", "ja", "zh", "ja-JP"],
  ["/help", "en", "en"],
  ["```\nfor the win\n``` 解释一下", "en", "zh"],
  ["hello", "zh", "zh", "en-US"],
  ["run `rm -rf 缓存` for me", "zh", "en"],
  ["今天", "en", "zh"],
];

describe("detectLanguage", () => {
  it.each(cases)("%j after %s is %s", (text, fallback, expected, locale) => {
    expect(detectLanguage(text, locale, fallback)).toBe(expected);
  });
});

describe("languageOfLocale", () => {
  it("knows our languages in any spelling and nothing else", () => {
    expect(["zh-Hans", "en_US", "ja", "JA-jp", "fr", "english", undefined].map(languageOfLocale)).toEqual([
      "zh",
      "en",
      "ja",
      "ja",
      undefined,
      undefined,
      undefined,
    ]);
  });
});
