import { readWeekdayList } from "./read-han-weekdays.ts";
import type { SaidDay, TimeParts } from "../../core/schedule/time-parts.ts";
import { attempt, type TokenReader } from "./token-reader.ts";

/** The day that is named, or the days of each week. */
export function readDay(reader: TokenReader): Pick<TimeParts, "day" | "part" | "doubt" | "every"> | undefined {
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

export function readDayOfMonth(reader: TokenReader): number | undefined {
  const number = reader.take("number");
  if (number === undefined) return undefined;
  const unit = reader.take("dayOfMonth", "unit");
  return unit?.kind === "dayOfMonth" || unit?.date === true ? number.value : undefined;
}

export function readMonthDay(
  reader: TokenReader,
): { readonly month: number; readonly day: number | "last" } | undefined {
  const month = reader.take("number");
  if (month === undefined || reader.take("unit")?.unit !== "month") return undefined;
  if (reader.take("monthEnd", "lastDay")) return { month: month.value, day: "last" };
  const day = attempt(reader, () => readDayOfMonth(reader));
  return day === undefined ? undefined : { month: month.value, day };
}

/** 12月1号, 2027年1月5日, 15号; 三号线 and 15日后 do not match. */
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
