import type { Duration } from "../../core/schedule/add-duration.ts";
import { readDayOfMonth, readMonthDay } from "./read-han-day.ts";
import { multiplyUnit, readLength } from "./read-han-length.ts";
import { readWeekdayList } from "./read-han-weekdays.ts";
import type { DayPart, SaidEvery, TimeParts } from "../../core/schedule/time-parts.ts";
import { attempt, type TokenReader } from "./token-reader.ts";

type Repeated = Pick<TimeParts, "every" | "part" | "day" | "doubt">;

/** The rhythm of something that comes back. */
export function readEvery(reader: TokenReader): Repeated | undefined {
  const found = attempt(reader, () => readEveryUnit(reader)) ?? attempt(reader, () => readEverySo(reader));
  if (found === undefined) return attempt(reader, () => readTimes(reader));
  // 每两周一次: the once says nothing more.
  if (attempt(reader, () => (reader.take("number")?.value === 1 ? reader.take("times") : undefined))) return found;
  return attempt(reader, () => readTimes(reader)) ?? found;
}

/** 一天两次: the times are not named. */
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
export function readEveryUnit(reader: TokenReader): Repeated | undefined {
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
  if (unit) return readInterval(reader, multiplyUnit(unit, 1, false));
  return readInterval(reader, readLength(reader));
}

/** 隔天, 每隔一天 and 每隔一周 leave one out; 每隔两小时 and 每隔三天 are every two hours and every three days. */
function readEveryOther(reader: TokenReader): Repeated | undefined {
  const unit = reader.take("unit")?.unit;
  const length = unit ? multiplyUnit(unit, 1, false) : readLength(reader);
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
      const weekdays =
        attempt(reader, () => readWeekdayList(reader)) ?? attempt(reader, () => readShortWeekdays(reader));
      return { every: weekdays ? { kind: "weekdays", weekdays } : { kind: "week" } };
    }
    case "month": {
      if (reader.take("monthEnd", "lastDay") ?? readEnd(reader))
        return { every: { kind: "month" }, day: { kind: "date", day: "last" } };
      const day = attempt(reader, () => readDayOfMonth(reader));
      return { every: { kind: "month" }, ...(day !== undefined && { day: { kind: "date", day } }) };
    }
    case "year": {
      const date = reader.take("feast") ?? attempt(reader, () => readMonthDay(reader));
      if (date) return { every: { kind: "year" }, day: { kind: "date", month: date.month, day: date.day } };
      if (reader.take("yearEnd") ?? readEnd(reader))
        return { every: { kind: "year" }, day: { kind: "date", month: 12, day: "last" } };
      return { every: { kind: "year" } };
    }
  }
}

/** The 末 of 毎月末 and 毎月の末日, the 底 of 每年底. */
function readEnd(reader: TokenReader): true | undefined {
  if (reader.sign("末底") === undefined) return undefined;
  attempt(reader, () => (reader.take("unit")?.date === true ? true : undefined));
  return true;
}

const shortWeekdays = "日月火水木金土";

/** The 月水金 of 毎週月水金, the 火・木 of 毎週火・木. */
function readShortWeekdays(reader: TokenReader): readonly number[] | undefined {
  const days = new Set<number>();
  for (let more = 0; more < 7; more += 1) {
    const day = attempt(reader, () => {
      if (days.size > 0) reader.sign("・、,");
      const unit = attempt(reader, () => reader.take("unit"));
      const named =
        unit === undefined ? reader.sign("火水木金土") : unit.date ? "日" : unit.unit === "month" ? "月" : undefined;
      return named;
    });
    if (day === undefined) break;
    days.add(shortWeekdays.indexOf(day));
  }
  return days.size === 0 ? undefined : [...days].toSorted((one, other) => one - other);
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
