import { toInstant, toWallTime, type WallTime } from "../../../core/schedule/zoned-time.ts";

/** From an instant up to another, which is not in it any more. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

type Groups = Readonly<Record<string, string | undefined>>;
/** Days, in a calendar without a zone: the 40th day of a month is one of the next. */
interface Days {
  readonly from: readonly [year: number, month: number, day: number];
  readonly to: readonly [year: number, month: number, day: number];
}
interface Today extends WallTime {
  /** 0 = Sunday. */
  readonly weekday: number;
}

const hanDigits = "〇一二三四五六七八九";
const englishNumbers = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const month =
  "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec";
const weekday = "monday|tuesday|wednesday|thursday|friday|saturday|sunday";
const number = "\\d{1,3}|[一二两三四五六七八九十]{1,3}";

function readNumber(text = ""): number {
  if (/^\d+$/.test(text)) return Number(text);
  const english = englishNumbers.indexOf(text);
  if (english >= 0) return english;
  if (text === "a" || text === "an") return 1;
  if (text.startsWith("couple")) return 2;
  if (text.startsWith("few")) return 3;
  const [tens = "", ones = ""] = text.includes("十") ? text.split("十") : ["0", text];
  const read = (sign: string, otherwise: number) =>
    sign === "" ? otherwise : sign === "0" ? 0 : sign === "两" ? 2 : Math.max(0, hanDigits.indexOf(sign));
  return text.includes("十") ? read(tens, 1) * 10 + read(ones, 0) : read(ones, 0);
}

const readMonth = (text = ""): number =>
  /^\d|[一二三四五六七八九十]/.test(text) ? readNumber(text) : months.indexOf(text.slice(0, 3)) + 1;
const readWeekday = (text = ""): number => {
  const han = "日一二三四五六".indexOf(text === "天" ? "日" : text);
  return han >= 0 ? han : ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].indexOf(text.slice(0, 3));
};
const readJapaneseWeekday = (text = ""): number => "日月火水木金土".indexOf(text);

const dayOf = ({ day, month: of, year }: Today, from: number, count = 1): Days => ({
  from: [year, of, day + from],
  to: [year, of, day + from + count],
});
/** Weeks begin on Monday. */
const weekOf = (today: Today, by: number): Days => dayOf(today, -((today.weekday + 6) % 7) + by * 7, 7);
const weekdayOf = (today: Today, by: number, of: number): Days =>
  dayOf(today, -((today.weekday + 6) % 7) + by * 7 + ((of + 6) % 7));
const weekendOf = (today: Today, by: number): Days => dayOf(today, -((today.weekday + 6) % 7) + by * 7 + 5, 2);
const monthOf = (year: number, of: number): Days => ({ from: [year, of, 1], to: [year, of + 1, 1] });
const yearOf = (year: number): Days => ({ from: [year, 1, 1], to: [year + 1, 1, 1] });
const lastWeekday = (today: Today, of: number): Days => dayOf(today, -(((today.weekday - of + 6) % 7) + 1));

/** The newest that has begun: 「5月」 said in March is last year's. */
function dateOf(today: Today, of: number, day: number | undefined, year: number | undefined): Days | undefined {
  if (of < 1 || of > 12 || (day !== undefined && (day < 1 || day > 31))) return undefined;
  const isAhead = of > today.month || (of === today.month && (day ?? 1) > today.day);
  const which = year ?? today.year - (isAhead ? 1 : 0);
  return day === undefined ? monthOf(which, of) : { from: [which, of, day], to: [which, of, day + 1] };
}

/** A range around that day: people do not count exactly. */
function agoOf(today: Today, count: number, unit: string): Days {
  const { day, month: of, year } = today;
  if (/^[年y]/.test(unit)) return { from: [year - count, of - 3, day], to: [year - count, of + 3, day] };
  if (/^[个月ヶm]|^か月/.test(unit)) return { from: [year, of - count, day - 15], to: [year, of - count, day + 16] };
  if (/^[周星礼w]/.test(unit)) return dayOf(today, -count * 7 - 3, 7);
  return dayOf(today, -count);
}

const year = (text: string | undefined, today: Today): number | undefined => {
  if (text === undefined) return undefined;
  const by = ["今年", "去年", "前年", "昨年", "一昨年"].indexOf(text);
  return by < 0 ? Number(text.slice(0, 4)) : today.year - [0, 1, 2, 1, 2][by]!;
};

/** Names of the past in Chinese, Japanese and English, in folded text. The longer ones first. */
const ways: readonly (readonly [RegExp, (found: Groups, today: Today) => Days | undefined])[] = [
  [
    /(?<y>(?:19|20)\d\d)[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})(?!\d)/g,
    ({ d, m, y }, t) => dateOf(t, Number(m), Number(d), Number(y)),
  ],
  [/(?<y>(?:19|20)\d\d)[-/](?<m>\d{1,2})(?![\d-])/g, ({ m, y }, t) => dateOf(t, Number(m), undefined, Number(y))],
  [
    new RegExp(
      `(?<y>一昨年|[今去前昨]年|(?:19|20)\\d\\d年)?的?の?(?<m>${number})月(?:份|(?<d>${number})[日号]?)?(?!前)`,
      "g",
    ),
    ({ d, m, y }, t) => dateOf(t, readMonth(m), d === undefined ? undefined : readNumber(d), year(y, t)),
  ],
  [/(?<y>一昨年|[今去前昨]年|(?:19|20)\d\d年)/g, ({ y }, t) => yearOf(year(y, t) ?? t.year)],
  [
    new RegExp(`(?<n>${number})(?<u>个?半?月|[かヶ]月|个?星期|个?礼拜|周间|周|天|日|年)(?:之|以)?前`, "g"),
    ({ n, u = "" }, t) => agoOf(t, readNumber(n), u.replace(/^个(?=星|礼)/, "")),
  ],
  [/半年前/g, (_, t) => agoOf(t, 6, "月")],
  [/大前天/g, (_, t) => dayOf(t, -3)],
  [/前天|一昨日|おととい|day before yesterday/g, (_, t) => dayOf(t, -2)],
  [/昨天|昨晚|昨日|昨夜|\byesterday\b|\blast night\b/g, (_, t) => dayOf(t, -1)],
  [/今天|今早|今晚|今日|今朝|\btoday\b|\bthis morning\b/g, (_, t) => dayOf(t, 0)],
  [/(?<s>上+|这个?|本)(?:个)?(?:周|星期|礼拜)末/g, ({ s = "" }, t) => weekendOf(t, countUps(s))],
  [
    /(?<s>上+|这个?|本)(?:个)?(?:周|星期|礼拜)(?<w>[一二三四五六日天])/g,
    ({ s = "", w }, t) => weekdayOf(t, countUps(s), readWeekday(w)),
  ],
  [/(?<s>上+|这个?|本)(?:个)?(?:周|星期|礼拜)/g, ({ s = "" }, t) => weekOf(t, countUps(s))],
  [
    /(?<s>先|今)周の?(?<w>[月火水木金土日])曜日?/g,
    ({ s, w }, t) => weekdayOf(t, s === "先" ? -1 : 0, readJapaneseWeekday(w)),
  ],
  [/(?<s>先|今)周/g, ({ s }, t) => weekOf(t, s === "先" ? -1 : 0)],
  [
    new RegExp(`(?<s>上上?个?|先|这个|本|今)月(?:(?<d>${number})[日号])?`, "g"),
    ({ d, s = "" }, t) => {
      const of = t.month - (s.startsWith("上上") ? 2 : /^[上先]/.test(s) ? 1 : 0);
      return d === undefined
        ? monthOf(t.year, of)
        : { from: [t.year, of, readNumber(d)], to: [t.year, of, readNumber(d) + 1] };
    },
  ],
  [/(?:周|星期|礼拜)(?<w>[一二三四五六日天])/g, ({ w }, t) => lastWeekday(t, readWeekday(w))],
  [/这几天|这两天|最近几天|前几天|前两天|ここ数日|\bthe last few days\b|\bthese days\b/g, (_, t) => dayOf(t, -6, 7)],
  [
    new RegExp(
      `\\b(?:(?:on|in|of|last|this) )?(?<d>\\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<m>${month})\\b,? ?(?<y>(?:19|20)\\d\\d)?`,
      "g",
    ),
    ({ d, m, y }, t) => dateOf(t, readMonth(m), Number(d), y === undefined ? undefined : Number(y)),
  ],
  [
    new RegExp(`\\b(?<m>${month}) (?<d>\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (?<y>(?:19|20)\\d\\d))?`, "g"),
    ({ d, m, y }, t) => dateOf(t, readMonth(m), Number(d), y === undefined ? undefined : Number(y)),
  ],
  [
    new RegExp(`\\b(?<m>${month}),? (?:of )?(?<y>(?:19|20)\\d\\d)\\b`, "g"),
    ({ m, y }, t) => dateOf(t, readMonth(m), undefined, Number(y)),
  ],
  [
    new RegExp(`\\b(?:in|last|this|since|during|of|early|late|mid|until|by)[ -](?<m>${month})\\b`, "g"),
    ({ m }, t) => dateOf(t, readMonth(m), undefined, undefined),
  ],
  [/\b(?:in|of|during) (?<y>(?:19|20)\d\d)\b/g, ({ y }) => yearOf(Number(y))],
  [
    new RegExp(
      `\\b(?<n>\\d{1,3}|an?|${englishNumbers.slice(1).join("|")}|(?:a )?(?:couple(?: of)?|few)) (?<u>day|week|month|year)s? ago\\b`,
      "g",
    ),
    ({ n = "", u = "" }, t) => agoOf(t, readNumber(n.replace(/^a (?=c|f)/, "")), u),
  ],
  [/\blast weekend\b/g, (_, t) => weekendOf(t, -1)],
  [new RegExp(`\\b(?:last|on) (?<w>${weekday})\\b`, "g"), ({ w }, t) => lastWeekday(t, readWeekday(w))],
  [/\b(?<s>last|this) week\b/g, ({ s }, t) => weekOf(t, s === "last" ? -1 : 0)],
  [/\b(?<s>last|this) month\b/g, ({ s }, t) => monthOf(t.year, t.month - (s === "last" ? 1 : 0))],
  [/\b(?<s>last|this) year\b/g, ({ s }, t) => yearOf(t.year - (s === "last" ? 1 : 0))],
];

const countUps = (shift: string): number =>
  shift.startsWith("上") ? -Array.from(shift).filter((sign) => sign === "上").length : 0;

const maxRanges = 4;

/** The times before now that a folded text names, and the text without them. */
export function readPastTime(
  text: string,
  { now, zone }: { readonly now: number; readonly zone: string },
): { readonly ranges: readonly TimeRange[]; readonly rest: string } {
  const wall = toWallTime(now, zone);
  const today: Today = { ...wall, weekday: new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDay() };
  const ranges: TimeRange[] = [];
  let rest = text;
  for (const [pattern, read] of ways)
    rest = rest.replaceAll(pattern, (...found: unknown[]) => {
      const days = read(found.at(-1) as Groups, today);
      if (days === undefined || ranges.length >= maxRanges) return String(found[0]);
      ranges.push({ from: startOf(days.from, zone), to: startOf(days.to, zone) });
      return " ";
    });
  return { ranges, rest };
}

function startOf([yearOfDay, monthOfDay, day]: Days["from"], zone: string): number {
  return toInstant({ year: yearOfDay, month: monthOfDay, day, hour: 0, minute: 0, second: 0 }, zone);
}
