import type { Language } from "../conversation.ts";
import { readEnglish } from "./english-signs.ts";

/** Guesses the language a person writes in. Short or wordless texts say nothing and keep the language used before. */

/** People do not change language after this many characters; the rest is not read. */
const maxTextLength = 4_000;

const kanaPattern = /[\p{sc=Hiragana}\p{sc=Katakana}]/gu;
const hanPattern = /\p{sc=Han}/gu;

const chatCommand = /^\s{0,8}\/[a-z_]{1,32}(?:@\w{1,64})?(?:\s|$)/i;

/** Letters that only simplified Chinese has, and words of its speech that Japanese does not write. */
const chineseOnly =
  /[这那们么个说给让还谁怎啥帮请对从时见问间开关图书车东头买卖为过发现语话议电长门无马鸟鱼风飞贷费资质题愿类饮馆线纸细终结约级统计记设试详认调谈论识护财货轮进运达选远连确预览执删际陆阳单双张总战历压厅严丧丰临举义乌乐乔习乡亏云亚产亲亿仅仓仪价众优伙伟传伤伦伪侠侣侦侧侨俩债倾储儿凭击创别剧动务劝办劳势勋华协卫却厂厌厕厨县发变叹启吓吗吧呀呢啊哪哦嗯您你她它没很找吃跑几]/u;

/** Letters that only Japanese writes. */
const japaneseOnly =
  /[気売駅図円広鉄読変経続対発帰検験険剣戦桜沢浜渋済渓覚毎払仏伝価児両乗実労拡択従応悪拠挙捜摂斎歳歯残焼県砕縄繊聴脳臓薬蔵薫訳転辺遅郷酔醸釈録銭闘陥隠雑霊頼顕駆騒髪黒黙齢働込畑峠辻匂枠榊塀搾栃笹雫歩渇涙塩巻圏獣営囲亜稲弐鶏粛緑絵継縦窓穏拝抜撃暁楽様権欧歓浄滝犠猟畳総聡荘蛍蛮覧観触誉譲賛軽逓酢晩戸満静]/u;
/** Words in letters that both have, as only Japanese says them. */
const japaneseWords =
  /今何|何[時処曜分歳個]|曜日|予[定約報想備測算習防]|大丈夫|勉強|電車|映画|仕事|食事|手紙|切符|時計|財布|名前|一覧|削除|作成|再?起動|編集|承知|会社|会話|会員|部屋|番号|今[度朝]|面白|残念|本当|午[前後]/u;
/** Both at once only Japanese has: the one set was simplified in China as in Japan, the other never in Japan. */
const alsoSimplified = /[会国学来与写画点声体当断数号医区参双属党昼献礼称虫装宝条独寿旧争麦]/u;
const alsoTraditional =
  /[時間問語話議書車東見長門無馬鳥魚風飛買貸費資質頭題願類飲館線紙細終結約級給統計記設試詳認調談請論識護財貨貿賞軍輪輸農進運過達選遠連週適違郵銀鏡際陸陽階隊雲順領額飯養習業構機標橋減測漢熱現環異確種積築簡節範純組績編織聞職術補製複視訓許診訪評詞詩誕誠誤課諸講警負責貴賀賢]/u;

/** The language that a platform's locale or a variable like LANG names, if it is one of ours. */
export function languageOfLocale(locale: string | undefined): Language | undefined {
  const tag = /^(zh|en|ja)(?:[-_.@]|$)/i.exec(locale ?? "")?.[1]?.toLowerCase();
  return tag === undefined ? undefined : (tag as Language);
}

/** `fallback` is the language of the conversation so far; the locale only settles what the text leaves open. */
export function detectLanguage(text: string, locale: string | undefined, fallback: Language): Language {
  const bare = text
    .slice(0, maxTextLength)
    .normalize("NFKC")
    .replace(/```[\s\S]*?(?:```|$)|`[^`]*`|https?:\/\/[!-~]+|[@/][\w-]+(?: (?:on|off|auto) [\w-]+)?/g, " ");
  const unquoted = blankQuotes(bare);
  const own = /[\p{L}]/u.test(unquoted) ? unquoted : bare;

  const kana = own.match(kanaPattern)?.length ?? 0;
  const han = own.match(hanPattern)?.length ?? 0;
  // Names and options follow a command's word, in whatever language the chat is.
  if (kana + han === 0) return chatCommand.test(text) ? fallback : (readLatin(own) ?? fallback);
  // Quotations inside a sentence: "What does 你好 mean?".
  const { words, signs, begins } = readEnglish(own);
  const beginsLatin = /^[^\p{L}]*[a-z]/iu.test(own);
  if (beginsLatin && begins && signs >= 2 && kana + han <= 6 && words > kana + han) return "en";
  const isChinese = chineseOnly.test(own);
  if (kana > 0) return isChinese && kana * 2 <= han ? "zh" : "ja";
  if (isChinese) return "zh";
  if (japaneseOnly.test(own) || japaneseWords.test(own)) return "ja";
  if (alsoSimplified.test(own) && alsoTraditional.test(own)) return "ja";
  // 「確認」「東京」 can be either: stay with what was spoken, then with the locale.
  if (fallback === "ja" && !chineseWords.test(own)) return "ja";
  return languageOfLocale(locale) === "ja" ? "ja" : "zh";
}

/** Words in letters that both have, as only Chinese says them. */
const chineseWords =
  /今天|明天|昨天|好的|可以|不用|不要|算了|我[要想的在是有去很]|是的|不是|不行|天天|多少|看看|早上好|晚上|早安|晚安|再|文件/u;

/** Greetings of either language as people type them without its letters. */
const spelledOut: ReadonlyMap<string, Language> = new Map([
  ["ni hao", "zh"],
  ["nihao", "zh"],
  ["xiexie", "zh"],
  ["zai ma", "zh"],
  ["konnichiwa", "ja"],
  ["ohayo", "ja"],
  ["ohayou", "ja"],
  ["arigato", "ja"],
  ["arigatou", "ja"],
  ["sumimasen", "ja"],
]);

function readLatin(text: string): Language | undefined {
  const spoken = spelledOut.get(
    text
      .toLowerCase()
      .replaceAll(/[^a-z ]+/g, "")
      .trim(),
  );
  if (spoken) return spoken;
  return readEnglish(text).english ? "en" : undefined;
}

const closings: Readonly<Record<string, string>> = { "「": "」", "『": "』", "“": "”", '"': '"' };

/** The text with a space in the place of each quotation. An opening mark that nothing closes is an ordinary character. */
function blankQuotes(text: string): string {
  const unclosed = new Set<string>();
  let result = "";
  let position = 0;
  for (const { 0: mark, index } of text.matchAll(/[「『“"]/g)) {
    const closing = closings[mark];
    if (index < position || closing === undefined || unclosed.has(closing)) continue;
    const end = text.indexOf(closing, index + 1);
    if (end < 0) {
      unclosed.add(closing);
      continue;
    }
    result += `${text.slice(position, index)} `;
    position = end + 1;
  }
  return result + text.slice(position);
}

interface LocaleVariables {
  readonly LC_ALL?: string | undefined;
  readonly LC_MESSAGES?: string | undefined;
  readonly LANG?: string | undefined;
}

/** POSIX: the first of the three that is set decides. Everything that is neither Chinese nor Japanese gets English. */
export function languageOfTerminal({ LC_ALL, LC_MESSAGES, LANG }: LocaleVariables): Language {
  return languageOfLocale(LC_ALL || LC_MESSAGES || LANG) ?? "en";
}
