import type { Language } from "../conversation.ts";
import { detectLanguage } from "../words/detect-language.ts";
import { blankQuotations, stripInvisible } from "./plain-text.ts";

/** Only the beginning of a reply is read, so that a long one costs no more. */
const maxCharacters = 400;
const maxMessage = 4_000;

/** Words of a person who asks for text of another language, or talks about one. */
const namesLanguage =
  /翻译|英文|英语|日文|日语|中文|汉语|外语|怎么说|怎么写|怎么念|怎么读|台词|commit|readme|用\S{1,3}语|translat|\b(?:kanji|hiragana|katakana|pinyin|hanzi|english|chinese|mandarin|japanese|french|german|spanish|korean|russian|italian|dutch|portuguese|latin|language|lyrics|spell)\b|how do you say|what does .{1,40} mean|英語|日本語|中国語|韓国語|翻訳|訳し|訳す|なんて言う|何て言う|歌词|歌詞/iu;

export interface SpokenSoFar {
  readonly language: Language;
  /** The person's newest message; "" = it is not known. */
  readonly last: string;
  /** The person's standing wishes, in words. */
  readonly wishes: string;
}

/**
 * Finds answers in another language than the person's. Any sign that another one may be wanted excuses them all: the
 * person names a language, writes in one that is not ours, or quotes a text in another one.
 */
export function createLanguageCheck({ language, last, wishes }: SpokenSoFar): (text: string) => boolean {
  const message = last.slice(0, maxMessage);
  if (namesLanguage.test(message) || namesLanguage.test(wishes.slice(0, maxMessage))) return () => false;
  if (isIn(message, language) === "another" || holdsProse(message, language)) return () => false;
  return (text) => isIn(text.slice(0, maxCharacters), language) === "another";
}

function isIn(text: string, language: Language): "another" | "perhaps" {
  const own = blankQuotations(
    stripInvisible(text.replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, " ")).replace(
      /https?:\/\/\S+|(?<![\w.-])[\w.-]*[/\\_][\w./\\-]*/g,
      " ",
    ),
  );
  return isAnother(own, language) ? "another" : "perhaps";
}

function isAnother(own: string, language: Language): boolean {
  const kana = count(own, /[\p{sc=Hiragana}\p{sc=Katakana}]/gu);
  const han = count(own, /\p{sc=Han}/gu);
  const latin = count(own, /\p{sc=Latin}/gu);
  const other = count(own, /\p{L}/gu) - kana - han - latin;
  // A word of an alphabet says about as much as two characters.
  const words = latin / 3 + other / 2;
  switch (language) {
    case "zh":
      return (kana >= 4 && kana > 0.5 * han) || (words > 4 * (han + kana) && isProse(own));
    case "en":
      if (han + kana + other / 2 >= 6 && han + kana + other / 2 > latin / 3) return true;
      return count(own, foreignWords) >= 3 && count(own, englishWords) <= 1;
    case "ja":
      if (kana === 0 && han >= 3) return detectLanguage(own.replaceAll("那覇", ""), undefined, "ja") === "zh";
      return words > 4 * (han + kana) && isProse(own);
  }
}

/** A message in Chinese or Japanese with a text of another language in it: the answer may be that text, mended. */
function holdsProse(message: string, language: Language): boolean {
  return language !== "en" && count(message, englishWords) >= 3;
}

/** Small words that join others: names, commands and terms have none. */
const englishWords =
  /\b(?:i|you|he|she|it|we|they|the|an?|is|are|was|be|do|does|don't|not|to|of|in|on|for|with|that|this|and|but|or|if|so|my|your|what|how|it's|i'm|you're)\b/giu;
const foreignWords =
  /\b(?:le|la|les|des|une|est|pas|je|tu|nous|vous|qui|der|die|das|ist|nicht|und|ein|eine|ich|du|sie|wir|zu|den|mit|für|auf|el|los|las|una|es|por|para|con|que|non|il|che|di)\b/giu;

function isProse(own: string): boolean {
  const joining = count(own, englishWords) + count(own, foreignWords);
  const words = count(own, /\p{L}+/gu);
  // A short sentence needs its stop, or a command with a letter of its own would be one.
  return (joining >= 2 && words >= 5) || (joining >= 1 && words >= 3 && /[.!?]\s*$/.test(own));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
