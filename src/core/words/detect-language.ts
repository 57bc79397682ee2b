import type { Language } from "../conversation.ts";
import { blankQuotes } from "./blank-quotes.ts";

/** Guesses the language a person writes in. Short or wordless texts say nothing and keep the language used before. */

const kanaPattern = /[\p{sc=Hiragana}\p{sc=Katakana}]/gu;
const hanPattern = /\p{sc=Han}/gu;
/** No part of a code such as `8QJ4-M2AN` is a word. */
const wordPattern = /(?<![a-z\d])[a-z]+(?:'[a-z]+)?(?![a-z\d])/gi;
/** Characters that Chinese sentences are full of and Japanese ones hardly use. */
const chineseMarks =
  /[吗呢吧啊呀嘛们这那哪么个你您她它说给让没还谁怎啥帮请对从时见写问间开关图书车东头买卖为会过发现后来点儿]/u;
const englishMarks = new Set(
  `a an the is are was were be am i you he she it we they my your me him us them what how why when where which who can could
  will would should please to of in on for with and or but do does did not don't can't i'm it's that's this that there let
  have has if about tell show make give find want need thanks thank hello hi hey`.split(/\s+/),
);

/** The language a platform's locale stands for, if it is one of ours; the fallback of a first message. */
export function languageOfLocale(locale: string | undefined): Language | undefined {
  const tag = /^(zh|en|ja)(?:[-_]|$)/i.exec(locale ?? "")?.[1]?.toLowerCase();
  return tag === undefined ? undefined : (tag as Language);
}

/** `fallback` is the language of the conversation so far; the locale only settles what the text leaves open. */
export function detectLanguage(text: string, locale: string | undefined, fallback: Language): Language {
  const bare = text
    .normalize("NFKC")
    .replace(/```[\s\S]*?(?:```|$)|`[^`]*`|https?:\/\/\S+|[@/][\w-]+(?: (?:on|off|auto) [\w-]+)?/g, " ");
  const unquoted = blankQuotes(bare);
  const own = /[\p{L}]/u.test(unquoted) ? unquoted : bare;

  const kana = own.match(kanaPattern)?.length ?? 0;
  const han = own.match(hanPattern)?.length ?? 0;
  const words = (own.match(wordPattern) ?? []).map((word) => word.toLowerCase());
  const englishSigns = words.filter((word) => englishMarks.has(word)).length;

  if (englishSigns >= 2 && kana + han <= 4 && words.length > kana + han) return "en";
  if (kana > 0) return chineseMarks.test(own) && kana * 2 <= han ? "zh" : "ja";
  if (han > 0) {
    if (chineseMarks.test(own)) return "zh";
    // 「確認」「天気予報」 can be either: stay with what was spoken, then with the locale.
    return fallback === "ja" || languageOfLocale(locale) === "ja" ? "ja" : "zh";
  }
  if (words.length >= 2 && (englishSigns >= 1 || words.length >= 5)) return "en";
  return fallback;
}
