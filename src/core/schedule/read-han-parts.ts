import type { Duration } from "./add-duration.ts";
import { readClocks } from "./read-han-clock.ts";
import type { DayPart, SaidDay, SaidEvery, TimeParts } from "./time-parts.ts";
import { attempt, type TokenReader } from "./token-reader.ts";

type Draft = { -readonly [Key in keyof TimeParts]: TimeParts[Key] };

/** The time that begins here: its day, hour, distance and repetition in any order. Each is read once, so it ends soon. */
export function readWhen(reader: TokenReader): TimeParts | undefined {
  if (reader.take("lunar")) return { doubt: "lunar" };
  if (reader.take("vague")) return { doubt: "vague" };
  const draft: Draft = {};
  for (;;) {
    const end = reader.place();
    if (Object.keys(draft).length > 0) reader.take("of");
    if (!readPart(reader, draft)) {
      reader.goTo(end);
      break;
    }
    if (draft.doubt !== undefined) break;
  }
  if (Object.keys(draft).length === 0) return undefined;
  attempt(reader, () => reader.take("of") && reader.take("before"));
  reader.take("before");
  return draft;
}

function readPart(reader: TokenReader, draft: Draft): boolean {
  if (draft.every === undefined) {
    const every = attempt(reader, () => readEvery(reader));
    if (every) return Object.assign(draft, every) !== undefined;
  }
  if (draft.every && reader.take("partsOfDay")) return Object.assign(draft, { doubt: "several" }) !== undefined;
  if (draft.every?.kind === "weekdays") {
    // 「周一到周五每天」 says the same twice.
    const again = attempt(reader, () => readEveryUnit(reader));
    if (again) {
      const more = again.every?.kind === "days" ? again.part && { part: again.part } : { doubt: "unread" };
      return Object.assign(draft, more) !== undefined;
    }
  }
  if (draft.ahead === undefined) {
    const ahead = attempt(reader, () => (reader.take("ahead") ? readLength(reader) : undefined));
    if (ahead) return Object.assign(draft, { ahead }) !== undefined;
  }
  if (draft.after === undefined && draft.clocks === undefined && draft.day === undefined) {
    const after = attempt(reader, () => readAfter(reader));
    if (after) return Object.assign(draft, after === "vague" ? { doubt: "vague" } : { after }) !== undefined;
  }
  if (draft.day === undefined && draft.after === undefined) {
    const day = attempt(reader, () => readDay(reader));
    // 每月 and then 周一三五: neither of them alone is meant.
    const isTwice = day?.every !== undefined && draft.every !== undefined && draft.every.kind !== "days";
    if (day) return Object.assign(draft, isTwice ? { doubt: "unread" } : day) !== undefined;
  }
  if (draft.clocks === undefined) {
    const isDayKnown = draft.day !== undefined || draft.every !== undefined || draft.part !== undefined;
    const said = attempt(reader, () => readClocks(reader, draft.part, isDayKnown || draft.after !== undefined));
    if (said) return Object.assign(draft, said) !== undefined;
  }
  return false;
}

/** 两个半小时, 三小时二十分钟, 一刻钟, 半年; "vague" = 几天. */
function readLength(reader: TokenReader): Duration | undefined {
  const total = { months: 0, days: 0, milliseconds: 0 };
  for (let parts = 0; parts < 4; parts += 1) {
    const part = attempt(reader, () => readLengthPart(reader));
    if (part === undefined) return parts === 0 ? undefined : total;
    total.months += part.months;
    total.days += part.days;
    total.milliseconds += part.milliseconds;
  }
  return total;
}

const lengths = {
  second: { milliseconds: 1000 },
  minute: { milliseconds: 60_000 },
  quarter: { milliseconds: 900_000 },
  hour: { milliseconds: 3_600_000 },
  day: { days: 1, half: { milliseconds: 43_200_000 } },
  week: { days: 7 },
  month: { months: 1, half: { days: 15 } },
  year: { months: 12, half: { months: 6 } },
} as const satisfies Readonly<Record<string, Partial<Duration> & { readonly half?: Partial<Duration> }>>;

const mostOfAUnit = 100_000;

function readLengthPart(reader: TokenReader): Duration | undefined {
  const number = reader.take("number");
  const isHalfOnly = number === undefined && reader.take("half") !== undefined;
  if (number === undefined && !isHalfOnly) return undefined;
  reader.take("measure");
  let half = isHalfOnly || (number !== undefined && reader.take("half") !== undefined);
  const unit = reader.take("unit")?.unit;
  if (unit === undefined || (number?.value ?? 0) > mostOfAUnit) return undefined;
  // 一天半, 1時間半
  if (!half) half = reader.take("half") !== undefined;
  return multiply(unit, number?.value ?? 0, half);
}

function multiply(unit: keyof typeof lengths, count: number, half: boolean): Duration | undefined {
  const size: Partial<Duration> & { readonly half?: Partial<Duration> } = lengths[unit];
  const extra = half ? (size.half ?? (size.milliseconds ? { milliseconds: size.milliseconds / 2 } : undefined)) : {};
  if (extra === undefined) return undefined;
  const sum = (key: keyof Duration): number => count * (size[key] ?? 0) + (extra[key] ?? 0);
  return { months: sum("months"), days: sum("days"), milliseconds: sum("milliseconds") };
}

/** 三天后, 再过十分钟, 过几天. */
function readAfter(reader: TokenReader): Duration | "vague" | undefined {
  const isIn = reader.take("in", "after") !== undefined;
  const some = reader.take("some");
  if (some) {
    reader.take("measure");
    if (!reader.take("unit")) return undefined;
    return isIn || reader.take("after") ? "vague" : undefined;
  }
  const length = readLength(reader);
  if (length === undefined) return undefined;
  const isAfter = reader.take("after") !== undefined;
  return isIn || isAfter ? length : undefined;
}

function readDay(reader: TokenReader): Pick<TimeParts, "day" | "part" | "doubt" | "every"> | undefined {
  const named = reader.take("day");
  if (named) return { day: { kind: "offset", days: named.days }, ...(named.part && { part: named.part }) };
  const feast = reader.take("feast");
  if (feast) return { day: { kind: "date", month: feast.month, day: feast.day } };
  const date =
    attempt(reader, () => readWrittenDate(reader)) ??
    attempt(reader, () => readShifted(reader)) ??
    attempt(reader, () => readDate(reader));
  if (date) return { day: date };
  return attempt(reader, () => readWeekdays(reader));
}

/** Bare weekdays: one is a day, more of them, and 工作日, come back every week. */
function readWeekdays(reader: TokenReader): Pick<TimeParts, "day" | "every"> | undefined {
  if (reader.take("workdays")) return { every: { kind: "weekdays", weekdays: [1, 2, 3, 4, 5] } };
  if (reader.take("weekend")) return { day: { kind: "weekday", weekday: 6 } };
  const list = readWeekdayList(reader);
  if (list?.length === 1 && list[0] !== undefined) return { day: { kind: "weekday", weekday: list[0] } };
  return list && { every: { kind: "weekdays", weekdays: list } };
}

const weekdaySigns = "日一二三四五六";

/** 周一, 周一到周五, 周一、周三和周五, 周一三五. */
function readWeekdayList(reader: TokenReader): readonly number[] | undefined {
  const first = reader.take("weekday")?.weekday;
  if (first === undefined) return undefined;
  const list = [first, ...readWeekdaySigns(reader)];
  for (let more = 0; more < 7; more += 1) {
    const next = attempt(reader, () => {
      const isRange = reader.take("to") !== undefined || reader.sign("-~—～") !== undefined;
      const isList = !isRange && (reader.take("and") !== undefined || reader.sign("、,，・") !== undefined);
      const weekday = reader.take("weekday")?.weekday;
      if (weekday !== undefined) return { days: [weekday], isRange };
      const days = isList || isRange ? readWeekdaySigns(reader) : [];
      return days.length === 0 ? undefined : { days, isRange };
    });
    if (next === undefined) break;
    const last = list.at(-1) ?? first;
    if (next.isRange) for (let day = (last + 1) % 7; day !== next.days[0]; day = (day + 1) % 7) list.push(day);
    list.push(...next.days);
  }
  return [...new Set(list)].toSorted((one, other) => one - other);
}

/** The 三五 of 周一三五; of 三五九点 the last belongs to the hour, and 三点 is none. */
function readWeekdaySigns(reader: TokenReader): readonly number[] {
  const token = reader.peek();
  // 周六日
  if (token?.kind === "unit" && token.date === true) return reader.take("unit") ? [0] : [];
  if (token?.kind !== "number") return [];
  const next = reader.peek(1)?.kind;
  if (next === "unit" || next === "measure" || next === "times" || next === "half") return [];
  const signs = Array.from(token.text);
  const days = (next === "clock" ? signs.slice(0, -1) : signs).map((sign) => weekdaySigns.indexOf(sign));
  if (days.length === 0 || days.includes(-1)) return [];
  if (next === "clock") reader.cut(days.length);
  else reader.take("number");
  return days;
}

/** 下周一, 这周五, 下个月15号, 来週の月曜日, 下月底; 明年3月8号, 年底. */
function readShifted(reader: TokenReader): SaidDay | undefined {
  const shift = reader.take("shift");
  if (shift) {
    const unit = shift.unit ?? reader.take("unit")?.unit;
    if (unit === "month") return readDayOfShiftedMonth(reader, shift.by);
    if (unit === "week") return readDayOfWeek(reader, shift.by);
    if (unit !== undefined) return undefined;
    if (reader.take("monthEnd")) return { kind: "shifted", months: shift.by, day: "last" };
    return readDayOfWeek(reader, shift.by);
  }
  const year = reader.take("year");
  if (year && reader.take("yearEnd")) return { kind: "yearly", years: year.years, month: 12, day: "last" };
  if (year) {
    reader.take("of");
    const feast = reader.take("feast");
    if (feast) return { kind: "yearly", years: year.years, month: feast.month, day: feast.day };
    const date = readMonthDay(reader);
    return date && { kind: "yearly", years: year.years, ...date };
  }
  if (reader.take("monthEnd")) return { kind: "date", day: "last" };
  return reader.take("yearEnd") && { kind: "date", month: 12, day: "last" };
}

function readDayOfWeek(reader: TokenReader, week: number): SaidDay | undefined {
  reader.take("of");
  if (reader.take("weekend")) return { kind: "weekday", weekday: 6, week };
  const named = reader.take("weekday");
  return named && { kind: "weekday", weekday: named.weekday, week };
}

function readDayOfShiftedMonth(reader: TokenReader, months: number): SaidDay | undefined {
  reader.take("of");
  if (reader.take("monthEnd", "lastDay")) return { kind: "shifted", months, day: "last" };
  const day = readDayOfMonth(reader);
  return day === undefined ? undefined : { kind: "shifted", months, day };
}

function readDayOfMonth(reader: TokenReader): number | undefined {
  const number = reader.take("number");
  if (number === undefined) return undefined;
  const unit = reader.take("dayOfMonth", "unit");
  return unit?.kind === "dayOfMonth" || unit?.date === true ? number.value : undefined;
}

function readMonthDay(reader: TokenReader): { readonly month: number; readonly day: number | "last" } | undefined {
  const month = reader.take("number");
  if (month === undefined || reader.take("unit")?.unit !== "month") return undefined;
  if (reader.take("monthEnd", "lastDay")) return { month: month.value, day: "last" };
  const day = attempt(reader, () => readDayOfMonth(reader));
  return day === undefined ? undefined : { month: month.value, day };
}

/** 12月1号, 2027年1月5日, 15号; 三号线 and 15日后 are none. */
function readDate(reader: TokenReader): SaidDay | undefined {
  const whole = attempt(reader, () => {
    const year = reader.take("number");
    if (year === undefined || reader.take("unit")?.unit !== "year" || year.value < 1000) return undefined;
    const date = readMonthDay(reader);
    return date && { kind: "date" as const, year: year.value, ...date };
  });
  if (whole) return whole;
  const date = attempt(reader, () => readMonthDay(reader));
  if (date) return { kind: "date", ...date };
  const day = readDayOfMonth(reader);
  const next = reader.peek();
  const isLength = next?.kind === "after" || next?.kind === "half";
  const isName = next?.kind === "sign" && /[线楼店机门馆车码]/.test(next.sign);
  return day === undefined || isLength || isName ? undefined : { kind: "date", day };
}

/** 2027-01-05, 2027/1/5, 11/23. */
function readWrittenDate(reader: TokenReader): SaidDay | undefined {
  if (/[\w./-]/.test(reader.before())) return undefined;
  const first = reader.take("number");
  const mark = first && reader.sign("-/");
  const second = mark && reader.take("number");
  if (first === undefined || mark === undefined || !second || !/^\d{1,4}$/.test(first.text)) return undefined;
  if (first.text.length < 4)
    return mark === "/" ? endDate(reader, { month: first.value, day: second.value }) : undefined;
  const third = reader.sign(mark) === undefined ? undefined : reader.take("number");
  return third && endDate(reader, { year: first.value, month: second.value, day: third.value });
}

function endDate(
  reader: TokenReader,
  date: { readonly year?: number; readonly month: number; readonly day: number },
): SaidDay | undefined {
  const next = reader.peek();
  return next?.kind === "sign" && "-/.".includes(next.sign) ? undefined : { kind: "date", ...date };
}

type Repeated = Pick<TimeParts, "every" | "part" | "day" | "doubt">;

function readEvery(reader: TokenReader): Repeated | undefined {
  const found = attempt(reader, () => readEveryUnit(reader)) ?? attempt(reader, () => readEverySo(reader));
  if (found === undefined) return attempt(reader, () => readTimes(reader));
  // 每两周一次: the once says nothing more.
  if (attempt(reader, () => (reader.take("number")?.value === 1 ? reader.take("times") : undefined))) return found;
  return attempt(reader, () => readTimes(reader)) ?? found;
}

/** 一天两次: nobody knows when. */
function readTimes(reader: TokenReader): Repeated | undefined {
  const isOne = attempt(reader, () => {
    const number = reader.take("number");
    return number?.value === 1 && reader.take("unit") ? true : undefined;
  });
  if (!isOne && !reader.take("number")) return undefined;
  if (isOne && !reader.take("number")) return undefined;
  return reader.take("times") ? { doubt: "several" } : undefined;
}

/** 每天, 每周一三五, 每月15号, 毎朝, 每个工作日, 每隔两小时. */
function readEveryUnit(reader: TokenReader): Repeated | undefined {
  const named = reader.take("everyUnit");
  if (named) {
    if (named.unit === "hour")
      return { every: { kind: "interval", interval: { months: 0, days: 0, milliseconds: 3_600_000 } } };
    const part: DayPart | undefined = named.part;
    return { ...readUnitEvery(reader, named.unit), ...(part && { part }) };
  }
  if (reader.take("everyOther")) return readEveryOther(reader);
  if (!reader.take("every")) return undefined;
  reader.take("measure");
  if (reader.take("workdays")) return { every: { kind: "weekdays", weekdays: [1, 2, 3, 4, 5] } };
  if (reader.take("weekend")) return { every: { kind: "weekdays", weekdays: [0, 6] } };
  const weekdays = attempt(reader, () => readWeekdayList(reader));
  if (weekdays) return { every: { kind: "weekdays", weekdays } };
  if (reader.take("monthEnd")) return { every: { kind: "month" }, day: { kind: "date", day: "last" } };
  if (reader.take("yearEnd")) return { every: { kind: "year" }, day: { kind: "date", month: 12, day: "last" } };
  if (reader.peek()?.kind === "part") return { every: { kind: "days" } };
  const date = attempt(reader, () => readMonthDay(reader));
  if (date) return { every: { kind: "year" }, day: { kind: "date", ...date } };
  // 每15号 is a date, 每3日 a length.
  const day = attempt(reader, () => {
    const number = reader.take("number");
    return reader.take("dayOfMonth") ? number?.value : undefined;
  });
  if (day !== undefined) return { every: { kind: "month" }, day: { kind: "date", day } };
  const unit = reader.take("unit")?.unit;
  if (unit === "day" || unit === "week" || unit === "month" || unit === "year") return readUnitEvery(reader, unit);
  if (unit) return readInterval(reader, multiply(unit, 1, false));
  return readInterval(reader, readLength(reader));
}

/** 隔天, 每隔一天 and 每隔一周 leave one out; 每隔两小时 and 每隔三天 are every two hours and every three days. */
function readEveryOther(reader: TokenReader): Repeated | undefined {
  const unit = reader.take("unit")?.unit;
  const length = unit ? multiply(unit, 1, false) : readLength(reader);
  if (length === undefined) return undefined;
  const isOne = length.milliseconds === 0 && length.months + length.days <= 1;
  const isWeek = length.days === 7 && length.milliseconds + length.months === 0;
  return readInterval(
    reader,
    isOne || isWeek ? { ...length, months: length.months * 2, days: length.days * 2 } : length,
  );
}

function readUnitEvery(reader: TokenReader, unit: "day" | "week" | "month" | "year"): Repeated {
  reader.take("of");
  switch (unit) {
    case "day":
      return { every: { kind: "days" } };
    case "week": {
      if (reader.take("weekend")) return { every: { kind: "weekdays", weekdays: [0, 6] } };
      const weekdays = attempt(reader, () => readWeekdayList(reader));
      return { every: weekdays ? { kind: "weekdays", weekdays } : { kind: "week" } };
    }
    case "month": {
      if (reader.take("monthEnd", "lastDay")) return { every: { kind: "month" }, day: { kind: "date", day: "last" } };
      const day = attempt(reader, () => readDayOfMonth(reader));
      return { every: { kind: "month" }, ...(day !== undefined && { day: { kind: "date", day } }) };
    }
    case "year": {
      const date = reader.take("feast") ?? attempt(reader, () => readMonthDay(reader));
      if (date) return { every: { kind: "year" }, day: { kind: "date", month: date.month, day: date.day } };
      if (reader.take("yearEnd")) return { every: { kind: "year" }, day: { kind: "date", month: 12, day: "last" } };
      return { every: { kind: "year" } };
    }
  }
}

/** 2時間ごと, 1日おき. */
function readEverySo(reader: TokenReader): Repeated | undefined {
  const length = readLength(reader);
  if (length === undefined) return undefined;
  const word = reader.take("everySo", "withGap");
  // 1日おき leaves one day out.
  const left = word?.kind === "withGap" && length.milliseconds + length.months === 0 ? 1 : 0;
  return word && readInterval(reader, { ...length, days: length.days + left });
}

/** 每隔一天, 每两周的周五. */
function readInterval(reader: TokenReader, interval: Duration | undefined): Repeated | undefined {
  if (interval === undefined) return undefined;
  const every: SaidEvery = { kind: "interval", interval };
  if (interval.days % 7 !== 0 || interval.days === 0) return { every };
  const weekdays = attempt(reader, () => {
    reader.take("of");
    return readWeekdayList(reader);
  });
  const [weekday, second] = weekdays ?? [];
  if (second !== undefined) return { every, doubt: "several" };
  return { every, ...(weekday !== undefined && { day: { kind: "weekday", weekday } }) };
}
