import type { Language } from "../conversation.ts";
import { blankQuotations, stripInvisible } from "./plain-text.ts";

/** Only the beginning of a reply is read, so that a long one costs no more. */
const maxCharacters = 400;

/** Words of a person who asks for text of another language, or talks about one. */
const namesLanguage =
  /翻译|英文|英语|日文|日语|中文|汉语|外语|怎么说|怎么写|怎么念|怎么读|台词|用\S{1,3}语|translat|\b(?:english|chinese|mandarin|japanese|french|german|spanish|korean|russian|italian|dutch|portuguese|latin|language|lyrics|spell)\b|how do you say|what does .{1,40} mean|英語|日本語|中国語|韓国語|翻訳|訳し|訳す|なんて言う|何て言う|歌词|歌詞/iu;

/** Letters that only simplified Chinese has, and words of its speech. */
const chinesePart = /[这那们么个说给让还谁怎啥吗吧呢您你她它没很随]/gu;

/**
 * True when `text` is written in another language than the person's. Code and quotations do not count, and neither does a
 * person's message that names a language, because another one may be what is wanted.
 */
export function isWrongLanguage(text: string, language: Language, last = ""): boolean {
  if (namesLanguage.test(last.slice(0, 4_000))) return false;
  const own = blankQuotations(
    stripInvisible(text.slice(0, maxCharacters)).replace(/https?:\/\/\S+|[\w.-]*[/\\_][\w./\\-]*/g, " "),
  );
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
      if (han + kana + other / 2 >= 4 && han + kana + other / 2 > latin / 3) return true;
      return count(own, foreignWords) >= 3 && count(own, englishWords) <= 1;
    case "ja":
      if (kana === 0 && han >= 3) return han >= 12 || count(own, chinesePart) > 0;
      return words > 4 * (han + kana) && isProse(own);
  }
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
