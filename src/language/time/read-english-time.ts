import type { ParsedResult } from "chrono-node/en";
import { assumeMorning } from "./assume-morning.ts";
import { addDuration } from "../../core/schedule/add-duration.ts";
import { readCount } from "./read-count.ts";
import { resolveTime } from "./resolve-time.ts";
import type { DayPart, SaidClock, SaidDay, SaidEvery, TimeParts, TimeReading } from "../../core/schedule/time-parts.ts";
import { toUtcInstant, toWallTime } from "../../core/schedule/zoned-time.ts";

interface Span {
  readonly from: number;
  readonly to: number;
}

const weekdayNames = "sun|mon|tue|wed|thu|fri|sat";
const weekday =
  "(?:sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?)s?";
const monthNames = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const ordinal = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const counted = String.raw`(\d{1,5}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)`;

type Read = (groups: readonly (string | undefined)[]) => {
  readonly every?: SaidEvery;
  readonly day?: SaidDay;
  readonly part?: DayPart;
  readonly doubt?: NonNullable<TimeParts["doubt"]>;
};

/** Repetitions, which the library does not read; the first that fits counts. */
const repetitions: readonly (readonly [form: RegExp, read: Read])[] = [
  [
    /\b(?:twice|two times|three times|several times) (?:a|per|every) (?:day|week|month)\b/i,
    () => ({ doubt: "several" }),
  ],
  [
    new RegExp(`\\b(?:every|each) (other|${counted}) months?,? on the (${ordinal}|last day)(?! of)\\b`, "i"),
    ([, word = "", , , day]) => {
      const { every } = everyInterval(/other/i.test(word) ? 2 : (readCount(word) ?? 1), "month", undefined);
      return { ...(every && { every }), day: { kind: "date", day: day === undefined ? "last" : Number(day) } };
    },
  ],
  [
    new RegExp(
      `\\b(?:every|each) (other|second|${counted}) (minute|hour|day|week|month)s?(?: on (${weekday}))?\\b`,
      "i",
    ),
    ([, word = "", , unit = "", on]) =>
      everyInterval(/other|second/i.test(word) ? 2 : (readCount(word) ?? 1), unit, on),
  ],
  [/\b(?:every|each) half(?: an)? hour\b|\bhalf-hourly\b/i, () => everyInterval(30, "minute", undefined)],
  [
    /\b(?:every (?:weekday|working day|work day|workday|business day)|(?:on )?weekdays)\b/i,
    () => onWeekdays([1, 2, 3, 4, 5]),
  ],
  [/\b(?:every weekend|(?:on )?weekends)\b/i, () => onWeekdays([0, 6])],
  [
    new RegExp(`\\b(?:every |each )?(${weekday}) (?:to|through|thru|-) (${weekday})\\b`, "i"),
    ([, first = "", last = ""]) => onWeekdays(listRange(findWeekday(first), findWeekday(last))),
  ],
  [
    new RegExp(`\\b(?:every|each) (${weekday}(?:(?:,? and |, ?)${weekday}){0,6})\\b`, "i"),
    ([, list = ""]) => onWeekdays(readWeekdays(list)),
  ],
  [
    new RegExp(`\\b(?:on )?((?:${weekdayNames})[a-z]{0,5}days)\\b`, "i"),
    ([, list = ""]) => onWeekdays(readWeekdays(list)),
  ],
  [
    new RegExp(`\\b(?:every|each) (${monthNames})[a-z]{0,6} ${ordinal}\\b`, "i"),
    ([, month = "", day]) => inYear(month, day),
  ],
  [
    new RegExp(`\\b(?:every|each) year(?: on)? (${monthNames})[a-z]{0,6} ${ordinal}\\b`, "i"),
    ([, month = "", day]) => inYear(month, day),
  ],
  [
    /\b(?:(?:on )?the last day of (?:every|each) month|(?:at )?the end of (?:every|each) month|every month end)\b/i,
    () => ({ every: { kind: "month" }, day: { kind: "date", day: "last" } }),
  ],
  [
    new RegExp(`\\b(?:on )?the ${ordinal} of (?:every|each) month\\b`, "i"),
    ([, day]) => ({ every: { kind: "month" }, day: { kind: "date", day: Number(day) } }),
  ],
  [
    new RegExp(`\\b(?:(?:every|each) month|monthly)(?: on)? the ${ordinal}\\b`, "i"),
    ([, day]) => ({ every: { kind: "month" }, day: { kind: "date", day: Number(day) } }),
  ],
  [
    /\b(?:every|each) (morning|afternoon|evening|night)\b/i,
    ([, part]) => ({ every: { kind: "days" }, ...findPart(part) }),
  ],
  [/\b(?:every ?day|each day|daily)\b/i, () => ({ every: { kind: "days" } })],
  [/\b(?:every week|each week|weekly)\b/i, () => ({ every: { kind: "week" } })],
  [/\b(?:every month|each month|monthly)\b/i, () => ({ every: { kind: "month" } })],
  [/\b(?:every year|each year|yearly|annually)\b/i, () => ({ every: { kind: "year" } })],
  [/\b(?:every hour|each hour|hourly)\b/i, () => everyInterval(1, "hour", undefined)],
  [/\bevery minute\b/i, () => everyInterval(1, "minute", undefined)],
];

const vague =
  /\b(?:in a (?:while|bit|moment)|later|some ?time|sometime soon|soon|in a few (?:minutes|hours|days)|one day|some day)\b/i;
const lunar = /\b(?:lunar|chinese new year|mid-autumn|dragon boat)\b/i;
const onTheDay = new RegExp(`\\bon the ${ordinal}\\b(?! of)`, "i");
const inHalves = new RegExp(`\\bin ${counted} and a half (hours?|minutes?)\\b`, "i");

/** The library reads its last word only. */
const afterTomorrow = /\b(?:the )?day after tomorrow\b/i;

/** Whether the text says that something comes back. */
export function namesRepetition(text: string): boolean {
  return repetitions.some(([form]) => form.test(text));
}

/** The time in an English text; the library is loaded at the first of them. */
export async function readEnglishTime(
  text: string,
  now: number,
  zone: string,
): Promise<{ readonly reading: TimeReading; readonly spans: readonly Span[] } | undefined> {
  for (const [form, read] of repetitions) {
    const match = form.exec(text);
    if (match === null) continue;
    const partOfDay =
      /^\s+(?:morning|afternoon|evening|night)s?\b/i.exec(text.slice(match.index + match[0].length))?.[0] ?? "";
    const span = { from: match.index, to: match.index + match[0].length + partOfDay.length };
    // Blanks keep the places; the hour may be on either side.
    const left = text.slice(0, span.from) + " ".repeat(span.to - span.from) + text.slice(span.to);
    const [clock, second] = (await parse(left, now, zone)).filter(({ start }) => start.isCertain("hour"));
    const part = findPart(partOfDay.trim().replace(/s$/i, ""));
    const parts = {
      ...read(match),
      ...part,
      ...(clock && { clocks: [toClock(clock, text)] }),
      ...(clock && isMoreThanHour(clock, second, left) && { doubt: "unread" as const }),
    };
    const spans = clock ? [span, spanOf(clock, text)] : [span];
    return { reading: resolveTime(parts, now, zone), spans };
  }
  for (const [form, why] of [
    [lunar, "lunar"],
    [vague, "vague"],
  ] as const) {
    const match = form.exec(text);
    if (match)
      return { reading: { kind: "ambiguous", why }, spans: [{ from: match.index, to: match.index + match[0].length }] };
  }
  return readOnce(text, now, zone);
}

async function readOnce(text: string, now: number, zone: string) {
  const half = readHalves(text, now);
  if (half) return half;
  const monthly = onTheDay.exec(text);
  const date = new Date(toUtcInstant(toWallTime(now, zone)) + 2 * 86_400_000).toISOString().slice(0, 10);
  const plain = text.replace(afterTomorrow, date);
  const results = await parse(plain, now, zone);
  const [first] = results.filter((result) => isMeant(result, plain));
  if (monthly) {
    const clock = results.find(({ start }) => start.isCertain("hour"));
    const parts: TimeParts = {
      day: { kind: "date", day: Number(monthly[1]) },
      ...(clock && { clocks: [toClock(clock, text)] }),
    };
    const span = { from: monthly.index, to: monthly.index + monthly[0].length };
    return { reading: resolveTime(parts, now, zone), spans: clock ? [span, spanOf(clock, text)] : [span] };
  }
  if (first === undefined) return undefined;
  const second = first.start.isCertain("hour")
    ? undefined
    : results.find((other) => other !== first && other.start.isCertain("hour"));
  const isRewritten = plain !== text;
  const spans = isRewritten
    ? findRewritten(text, first.text.replace(date, ""))
    : [spanOf(first, text), ...(second ? [spanOf(second, text)] : [])];
  const reading = leavesDayOpen(first) ? openDay : resolveResult(first, second, plain, now, zone);
  return { reading: doubtNextWeekday(reading, first.text, now, zone), spans };
}

const openDay = { kind: "ambiguous", why: "day" } as const;

/** "next week": the library takes the day of the week that today is. */
function leavesDayOpen({ start, text }: ParsedResult): boolean {
  return (
    start.tags().has("result/relativeDate") &&
    !start.isCertain("weekday") &&
    /\b(?:next|this|coming)\s+(?:week|month|year|quarter)\b/i.test(text)
  );
}

const nextWeekday = new RegExp(`\\bnext (${weekday})\\b`, "i");

/** "next Friday" is the coming one for some and the one after it for others, while it is still to come in this week. */
function doubtNextWeekday(reading: TimeReading, text: string, now: number, zone: string): TimeReading {
  const named = nextWeekday.exec(text)?.[1];
  if (named === undefined || reading.kind !== "at") return reading;
  const fromMonday = (day: number): number => (day + 6) % 7;
  const today = new Date(toUtcInstant(toWallTime(now, zone))).getUTCDay();
  if (fromMonday(findWeekday(named)) <= fromMonday(today)) return reading;
  const sooner = addDuration(reading.at, { months: 0, days: -7, milliseconds: 0 }, zone);
  return sooner > now ? { kind: "ambiguous", why: "week", options: [sooner, reading.at] } : reading;
}

/** "8 to 10", "tomorrow at 8", "9am EST", "8am and 8pm": a repetition has a place for one hour of its zone. */
function isMoreThanHour(clock: ParsedResult, second: ParsedResult | undefined, text: string): boolean {
  const { start, end } = clock;
  if (end || /\b(?:week|month|year)\b/i.test(clock.text)) return true;
  if ((["day", "weekday", "month", "timezoneOffset"] as const).some((part) => start.isCertain(part))) return true;
  const between = second && text.slice(clock.index + clock.text.length, second.index);
  return between !== undefined && /^[\s,&]*(?:and|or|to)?[\s,]*(?:at)?\s*$/i.test(between);
}

function findRewritten(text: string, read: string): readonly Span[] {
  const match = afterTomorrow.exec(text);
  if (match === null) return [];
  const rest = read.trim();
  const at = rest === "" ? -1 : text.indexOf(rest);
  const span = { from: match.index, to: match.index + match[0].length };
  return at < 0 ? [span] : [span, { from: at, to: at + rest.length }];
}

/** "in two and a half hours" */
function readHalves(
  text: string,
  now: number,
): { readonly reading: TimeReading; readonly spans: readonly Span[] } | undefined {
  const match = inHalves.exec(text);
  const count = readCount(match?.[1] ?? "");
  if (match === null || count === undefined) return undefined;
  const unit = match[2]?.startsWith("h") === true ? 3_600_000 : 60_000;
  return {
    reading: { kind: "at", at: now + (count + 0.5) * unit },
    spans: [{ from: match.index, to: match.index + match[0].length }],
  };
}

/** The library works with the clock time of the zone as if it were UTC, so it needs to know no zones. */
async function parse(text: string, now: number, zone: string): Promise<readonly ParsedResult[]> {
  const { casual } = await import("chrono-node/en");
  return casual.parse(
    text,
    { instant: new Date(toUtcInstant(toWallTime(now, zone))), timezone: 0 },
    { forwardDate: true },
  );
}

/** "5 minutes", "the second", "sun" and "march" alone are no time to be reminded at. */
function isMeant({ start, text, index }: ParsedResult, whole: string): boolean {
  if (start.tags().has("result/relativeDate"))
    return /\b(?:in|from now|later|after|next|within)\b/i.test(`${whole.slice(Math.max(0, index - 6), index)} ${text}`);
  if (start.isCertain("hour") || (start.isCertain("day") && start.isCertain("month"))) return true;
  if (start.isCertain("weekday")) return !/^(?:sun|sat|wed|mon)$/i.test(text);
  return [...start.tags()].some((tag) => tag.startsWith("casualReference/"));
}

function resolveResult(
  first: ParsedResult,
  second: ParsedResult | undefined,
  text: string,
  now: number,
  zone: string,
): TimeReading {
  const { start } = first;
  const tags = start.tags();
  const wall = toUtcInstant(toWallTime(now, zone));
  if (start.isCertain("timezoneOffset") && !tags.has("result/relativeDate")) return endAt(start.date().getTime(), now);
  // For hours and minutes from now, clock changes on the way do not matter.
  if (tags.has("result/relativeDateAndTime"))
    return endAt(now + Math.round((start.date().getTime() - wall) / 1000) * 1000, now);
  const clock = start.isCertain("hour") ? first : second;
  if (clock?.end?.isCertain("hour") === true || first.end?.isCertain("day") === true)
    return { kind: "ambiguous", why: "range" };
  const part = findPart(/\b(morning|noon|afternoon|evening|night|tonight|midnight)\b/i.exec(first.text)?.[1]).part;
  const days = Math.round(
    (Date.UTC(start.get("year") ?? 0, (start.get("month") ?? 1) - 1, start.get("day") ?? 1) -
      Math.floor(wall / 86_400_000) * 86_400_000) /
      86_400_000,
  );
  const isDated = start.isCertain("day") || start.isCertain("weekday");
  if (tags.has("result/relativeDate") && clock === undefined)
    return endAt(addDuration(now, { months: 0, days, milliseconds: 0 }, zone), now);
  const isYearOpen = start.isCertain("month") && start.isCertain("day") && !start.isCertain("year");
  const day: SaidDay | undefined = isYearOpen
    ? { kind: "date", month: start.get("month") ?? 1, day: start.get("day") ?? 1 }
    : isDated
      ? start.isCertain("weekday") && !start.isCertain("day") && days === 0 && !/\bthis\b/i.test(first.text)
        ? { kind: "weekday", weekday: start.get("weekday") ?? 0 }
        : { kind: "offset", days }
      : undefined;
  const parts: TimeParts = {
    ...(day && { day }),
    ...(part && { part }),
    ...(clock && { clocks: [toClock(clock, text)] }),
    ...(/\bby\s+$/i.test(text.slice(Math.max(0, first.index - 4), first.index)) && { before: true as const }),
  };
  return Object.keys(parts).length === 0 ? { kind: "none" } : resolveTime(assumeMorning(parts, text), now, zone);
}

function endAt(at: number, now: number): TimeReading {
  return at > now ? { kind: "at", at } : { kind: "past", at };
}

/** Two digits before the colon, and "am" or "pm", leave nothing open. */
function toClock(
  { start, index, text: words }: ParsedResult,
  whole: string,
): { readonly part?: DayPart; readonly clock: SaidClock } {
  const behind =
    /^\s+(?:in the (?:morning|afternoon|evening)|at night)\b/i.exec(whole.slice(index + words.length))?.[0] ?? "";
  const text = `${words}${behind}`;
  const hour = start.get("hour") ?? 0;
  const minute = start.get("minute") ?? 0;
  const isPlain =
    start.isCertain("meridiem") ||
    /\b\d{2}:\d{2}\b/.test(text) ||
    hour > 12 ||
    hour === 0 ||
    start.tags().has("casualReference/midnight") ||
    start.tags().has("casualReference/noon");
  const { part } = findPart(/\b(morning|afternoon|evening|night|tonight)\b/i.exec(text)?.[1]);
  const isMidnight = start.tags().has("casualReference/midnight");
  if (isPlain)
    return { clock: { hour: isMidnight ? 24 : hour, minute, second: start.get("second") ?? 0, plain: true } };
  return { ...(part && { part }), clock: { hour: hour > 12 ? hour - 12 : hour, minute } };
}

const partsOfDay: Readonly<Record<string, DayPart>> = {
  morning: "morning",
  noon: "noon",
  afternoon: "afternoon",
  evening: "night",
  night: "night",
  tonight: "night",
  midnight: "midnight",
};

function findPart(word = ""): { readonly part?: DayPart } {
  const part = partsOfDay[word.toLowerCase()];
  return part === undefined ? {} : { part };
}

const spanOf = ({ index, text }: ParsedResult, whole: string): Span => {
  // "at 8" is one place, and so is "on March 8".
  const before =
    /\b(?:at|on|by|before)\s+(?:the\s+)?$/i.exec(whole.slice(Math.max(0, index - 12), index))?.[0].length ?? 0;
  const behind =
    /^\s+(?:in the (?:morning|afternoon|evening)|at night)\b/i.exec(whole.slice(index + text.length))?.[0].length ?? 0;
  return { from: index - before, to: index + text.length + behind };
};

function findWeekday(word: string): number {
  return weekdayNames.split("|").indexOf(word.slice(0, 3).toLowerCase());
}

function readWeekdays(list: string): readonly number[] {
  return [
    ...new Set(
      list
        .split(/,\s?|\sand\s/)
        .map((word) => findWeekday(word.trim()))
        .filter((day) => day >= 0),
    ),
  ];
}

function listRange(first: number, last: number): readonly number[] {
  const list = [first];
  for (let day = first; day !== last;) list.push((day = (day + 1) % 7));
  return list;
}

const onWeekdays = (weekdays: readonly number[]) => ({ every: { kind: "weekdays", weekdays } as const });

function inYear(month: string, day: string | undefined): ReturnType<Read> {
  const number = monthNames.split("|").indexOf(month.toLowerCase()) + 1;
  return { every: { kind: "year" }, day: { kind: "date", month: number, day: Number(day) } };
}

const unitLengths = {
  minute: { milliseconds: 60_000 },
  hour: { milliseconds: 3_600_000 },
  day: { days: 1 },
  week: { days: 7 },
  month: { months: 1 },
} as const;

function everyInterval(count: number, unit: string, on: string | undefined): ReturnType<Read> {
  const size: { months?: number; days?: number; milliseconds?: number } =
    unitLengths[unit.toLowerCase() as keyof typeof unitLengths];
  const { months = 0, days = 0, milliseconds = 0 } = size;
  const interval = { months: months * count, days: days * count, milliseconds: milliseconds * count };
  return { every: { kind: "interval", interval }, ...(on && { day: { kind: "weekday", weekday: findWeekday(on) } }) };
}
