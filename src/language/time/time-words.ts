import type { DayPart } from "../../core/schedule/time-parts.ts";
import { hanNumber, readCount } from "./read-count.ts";

type TimeUnit = "second" | "minute" | "quarter" | "hour" | "day" | "week" | "month" | "year";

/** The use of a word in a time. Chinese and Japanese share the table: the grammar is the same. */
type Word =
  | { readonly kind: "unit"; readonly unit: TimeUnit; readonly date?: true }
  | { readonly kind: "day"; readonly days: number; readonly part?: DayPart }
  | { readonly kind: "part"; readonly part: DayPart; readonly short?: true }
  | { readonly kind: "weekday"; readonly weekday: number }
  | { readonly kind: "year"; readonly years: number }
  | { readonly kind: "feast"; readonly month: number; readonly day: number }
  /** 下, 本: a week or a month counted from this one; with `unit` both in one word (来週). */
  | { readonly kind: "shift"; readonly by: number; readonly unit?: "week" | "month" }
  | { readonly kind: "everyUnit"; readonly unit: "day" | "week" | "month" | "year" | "hour"; readonly part?: DayPart }
  | { readonly [Kind in PlainKind]: { readonly kind: Kind } }[PlainKind];

type PlainKind =
  | "clock" // 点
  | "exactly" // 整
  | "half" // 半
  | "measure" // 个
  | "dayOfMonth" // 号
  | "after" // 后
  | "in" // 再过
  | "before" // 之前
  | "ahead" // 提前
  | "every" // 每
  | "everyOther" // 隔
  | "everySo" // ごと
  | "withGap" // おき
  | "weekend"
  | "partsOfDay"
  | "workdays"
  | "monthEnd"
  | "yearEnd"
  | "lastDay"
  | "some" // 几
  | "times" // 次
  | "to"
  | "and"
  | "of"
  | "lunar"
  | "vague"
  | "noise";

export type TimeToken = { readonly from: number; readonly to: number } & (
  | Word
  | { readonly kind: "number"; readonly value: number; readonly text: string }
  | { readonly kind: "sign"; readonly sign: string }
);

function createWords(): ReadonlyMap<string, Word> {
  const words = new Map<string, Word>();
  const add = (word: Word, list: string): void => {
    for (const one of list.split(" ")) words.set(one, word);
  };

  for (const [unit, list] of Object.entries({
    second: "秒 秒钟 秒鐘 秒間",
    minute: "分 分钟 分鐘 分間",
    quarter: "刻钟 刻鐘 刻",
    hour: "小时 小時 钟头 鐘頭 時間",
    day: "天 日間",
    week: "周 週 星期 礼拜 禮拜 週間",
    month: "月 ヶ月 か月 カ月 ヵ月 ケ月",
    year: "年 年間",
  } satisfies Record<TimeUnit, string>))
    add({ kind: "unit", unit: unit as TimeUnit }, list);

  add({ kind: "unit", unit: "day", date: true }, "日");
  for (const [days, list] of [
    [0, "今天 今日 今儿 今儿个 きょう"],
    [1, "明天 明日 明儿 明儿个 翌日 あした あす"],
    [2, "后天 後天 明後日 あさって"],
    [3, "大后天 大後天 しあさって 明々後日"],
    [-1, "昨天 昨日 昨儿"],
    [-2, "前天 一昨日 おととい"],
  ] as const)
    add({ kind: "day", days }, list);

  for (const [part, list] of Object.entries({
    small: "凌晨 未明",
    morning: "早上 早晨 清晨 清早 一早 一大早 大清早 上午 午前 朝",
    noon: "中午 正午 午间 昼 お昼",
    afternoon: "下午 午后 午後",
    evening: "傍晚 黄昏 夕方",
    night: "晚上 夜里 夜晚 晚间 夜 晩",
    midnight: "半夜 深夜 午夜 夜中 真夜中",
  } satisfies Record<DayPart, string>))
    add({ kind: "part", part: part as DayPart }, list);
  add({ kind: "part", part: "morning", short: true }, "早");
  add({ kind: "part", part: "night", short: true }, "晚");

  for (const [days, part, list] of [
    [0, "morning", "今早 今朝 今晨 けさ"],
    [0, "night", "今晚 今夜 今晩"],
    [1, "morning", "明早 明晨 明朝"],
    [1, "night", "明晚 明晩"],
    [2, "night", "后晚"],
  ] as const)
    add({ kind: "day", days, part }, list);

  for (const [index, sign] of Array.from("日一二三四五六").entries())
    add(
      { kind: "weekday", weekday: index },
      ["周", "週", "星期", "礼拜", "禮拜"].map((prefix) => prefix + sign).join(" "),
    );
  add({ kind: "weekday", weekday: 0 }, "周天 星期天 礼拜天 禮拜天");
  for (const [index, sign] of Array.from("日月火水木金土").entries())
    add({ kind: "weekday", weekday: index }, `${sign}曜日 ${sign}曜`);

  for (const [years, list] of [
    [0, "今年"],
    [1, "明年 来年"],
    [2, "后年 後年 再来年"],
  ] as const)
    add({ kind: "year", years }, list);
  for (const [month, day, list] of [
    [1, 1, "元旦 元日"],
    [2, 14, "情人节 バレンタイン"],
    [3, 8, "妇女节"],
    [5, 1, "劳动节 五一"],
    [6, 1, "儿童节 六一"],
    [10, 1, "国庆节 国庆"],
    [12, 24, "平安夜 クリスマスイブ"],
    [12, 25, "圣诞节 圣诞 クリスマス"],
  ] as const)
    add({ kind: "feast", month, day }, list);

  for (const [by, list] of [
    [-1, "上 上个"],
    [0, "这 這 这个 這個 本 这一"],
    [1, "下 下个 下一个 下個"],
    [2, "下下 下下个"],
  ] as const)
    add({ kind: "shift", by }, list);
  for (const [by, unit, list] of [
    [-1, "week", "先週"],
    [0, "week", "今週"],
    [1, "week", "来週"],
    [2, "week", "再来週"],
    [0, "month", "今月"],
    [1, "month", "来月"],
    [2, "month", "再来月"],
  ] as const)
    add({ kind: "shift", by, unit }, list);

  for (const [unit, list] of [
    ["day", "天天 毎日"],
    ["week", "毎週"],
    ["month", "毎月"],
    ["year", "毎年"],
    ["hour", "毎時"],
  ] as const)
    add({ kind: "everyUnit", unit }, list);
  add({ kind: "everyUnit", unit: "day", part: "morning" }, "毎朝");
  add({ kind: "everyUnit", unit: "day", part: "night" }, "毎晩");

  for (const [kind, list] of [
    ["clock", "点 點 点钟 點鐘 时 時"],
    ["exactly", "整 正 钟"],
    ["half", "半"],
    ["measure", "个 個"],
    ["dayOfMonth", "号 號"],
    ["after", "后 後 之后 之後 以后 以後 过后 後に あと"],
    ["in", "过 過 再过 再過"],
    ["before", "之前 以前 前 前に まで までに"],
    ["ahead", "提前"],
    ["every", "每 毎 每个 每個 每一 每逢 毎回"],
    ["everyOther", "每隔 隔"],
    ["everySo", "ごと ごとに 毎に"],
    ["withGap", "おき おきに"],
    ["weekend", "周末 週末 土日"],
    ["partsOfDay", "早晚 早中晚 朝晩"],
    ["workdays", "工作日 平日"],
    ["monthEnd", "月底 月末"],
    ["yearEnd", "年底 年末"],
    ["lastDay", "最后一天 最後一天 最后1天 最後1天 最終日"],
    ["some", "几 幾 若干 数"],
    ["times", "次 遍 回"],
    ["to", "到 至 から"],
    ["and", "和 跟 与 及 と"],
    ["of", "的 の に"],
    [
      "lunar",
      "农历 農曆 阴历 陰曆 旧历 旧暦 正月 腊月 除夕 春节 端午 端午节 中秋 中秋节 重阳 重阳节 七夕 元宵 元宵节 大年",
    ],
    [
      "vague",
      "一会儿 一会 待会 待会儿 等会 等会儿 等下 等一下 稍后 过会儿 过一会儿 过一会 改天 过几天 过两天 过阵子 晚点 晚些 回头 しばらく あとで 後で そのうち",
    ],
    ["noise", "一下 早上好 上午好 中午好 下午好 晚上好 前后 今后 午后茶 月亮 日本 年级 年纪 分数 分别 以前的"],
  ] as const)
    add({ kind } as Word, list);
  for (const sign of "一二三四五六七八九十") add({ kind: "lunar" }, `初${sign}`);
  return words;
}

const words = createWords();
const maxWordLength = Math.max(...Array.from(words.keys(), ({ length }) => length));

/**
 * Splits a text into words of time, numbers and single signs. White space is left out. Every place costs a bounded number of
 * looks into the table, so the work grows with the text and no faster.
 */
export function readTimeTokens(text: string): readonly TimeToken[] {
  const half = Array.from({ length: text.length }, (_, index) => toHalfWidth(text.charAt(index))).join("");
  const tokens: TimeToken[] = [];
  for (let at = 0; at < half.length;) {
    const token = readWeekTimes(half, at) ?? readWord(half, at) ?? readNumber(half, at);
    if (token) tokens.push(token);
    else if (half.charAt(at).trim() !== "") tokens.push({ kind: "sign", sign: half.charAt(at), from: at, to: at + 1 });
    at = token?.to ?? at + 1;
  }
  return tokens;
}

/** In 「两周一次」 the 周 is a length: such a count does not follow a single weekday. */
function readWeekTimes(text: string, at: number): TimeToken | undefined {
  const match = /^(周|週|星期|礼拜|禮拜)[一二两三四五六七八九十]{1,3}[次遍回]/.exec(text.slice(at, at + 6));
  return match?.[1] === undefined ? undefined : { kind: "unit", unit: "week", from: at, to: at + match[1].length };
}

function readWord(text: string, at: number): TimeToken | undefined {
  for (let length = Math.min(maxWordLength, text.length - at); length > 0; length -= 1) {
    const word = words.get(text.slice(at, at + length));
    if (word) return { ...word, from: at, to: at + length };
  }
  return undefined;
}

/** Longer numbers are part of no time. */
const maxNumberLength = 12;

function readNumber(text: string, at: number): TimeToken | undefined {
  const signs = /\d/.test(text.charAt(at)) ? "0123456789" : hanNumber;
  let to = at;
  while (to < text.length && signs.includes(text.charAt(to))) to += 1;
  if (to === at) return undefined;
  const written = text.slice(at, to);
  const value = written.length > maxNumberLength ? undefined : readCount(written);
  return value === undefined ? { kind: "noise", from: at, to } : { kind: "number", value, text: written, from: at, to };
}

/** Maps each character to exactly one, so that places stay the same. */
function toHalfWidth(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  return character;
}
