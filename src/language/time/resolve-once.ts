import { addDuration } from "../../core/schedule/add-duration.ts";
import { findHours, preferHour, defaultHour, defaultHours } from "./said-hours.ts";
import type { SaidDay, TimeParts, TimeReading } from "../../core/schedule/time-parts.ts";
import { toInstant, toUtcInstant, toWallTime, type WallTime } from "../../core/schedule/zoned-time.ts";

/** The one time that these parts mean; a day without an hour is at nine, an hour that is over today is tomorrow's. */
export function resolveOnce(parts: TimeParts, now: number, zone: string): TimeReading {
  const { after, clocks, day, part } = parts;
  const [said, other] = clocks ?? [];
  if (other) return { kind: "ambiguous", why: "several" };
  if (after && !said && !part) return { kind: "at", at: addDuration(now, after, zone) };
  const today = toWallTime(now, zone);
  const base = after ? toWallTime(addDuration(now, after, zone), zone) : today;
  const hours = said ? findHours(said.clock, said.part ?? part) : ([part ? defaultHours[part] : defaultHour] as const);
  if (hours === undefined) return { kind: "ambiguous", why: "impossible" };
  const minute = said?.clock.minute ?? 0;
  const second = said?.clock.second ?? 0;
  const at = (date: WallTime, hour: number): number =>
    toInstant({ ...shiftDays(date, Math.floor(hour / 24)), hour: hour % 24, minute, second }, zone);
  if (after === undefined && (day === undefined || (day.kind === "offset" && day.days === 0))) {
    if (day && !said && !part) return { kind: "ambiguous", why: "hour" };
    const ahead = hours.map((hour) => at(base, hour)).filter((instant) => instant > now);
    if (ahead[0] !== undefined && ahead[1] !== undefined)
      return { kind: "ambiguous", why: "half", options: [ahead[0], ahead[1]] };
    // After noon 「十二点」 may be midnight, or noon tomorrow.
    if (ahead[0] !== undefined && day === undefined && hours.length === 2 && said?.clock.hour === 12)
      return { kind: "ambiguous", why: "half", options: [ahead[0], at(shiftDays(base, 1), 12)] };
    if (ahead[0] !== undefined) return { kind: "at", at: ahead[0] };
    if (day) return said ? { kind: "past", at: at(base, hours.at(-1) ?? 0) } : { kind: "ambiguous", why: "hour" };
  }
  const isTomorrow = day === undefined && after === undefined;
  // "by Friday" on a Friday means today.
  if (
    parts.before &&
    day?.kind === "weekday" &&
    day.week === undefined &&
    !said &&
    !part &&
    weekdayOf(today) === day.weekday
  )
    return { kind: "ambiguous", why: "hour" };
  const dates = isTomorrow ? [shiftDays(today, 1)] : day ? findDates(day, base) : [base];
  const likely = preferHour(hours);
  for (const [index, date] of dates.entries()) {
    if (date === undefined) continue;
    const isToday = day?.kind === "date" && index === 0 && date.day === today.day && date.month === today.month;
    const [first = 0, evening] = likely.map((hour) => at(date, hour));
    if ((evening ?? first) > now) {
      if (evening === undefined) return { kind: "at", at: first };
      return first > now ? { kind: "ambiguous", why: "half", options: [first, evening] } : { kind: "at", at: evening };
    }
    if (isToday) return said ? { kind: "past", at: evening ?? first } : { kind: "ambiguous", why: "hour" };
  }
  const last = dates.findLast((date) => date !== undefined);
  return last ? { kind: "past", at: at(last, likely[0]) } : { kind: "ambiguous", why: "impossible" };
}

function shiftDays(wall: WallTime, days: number): WallTime {
  const date = new Date(toUtcInstant({ ...wall, day: wall.day + days, hour: 0, minute: 0, second: 0 }));
  return { ...wall, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 0 = Sunday. */
export function weekdayOf(wall: WallTime): number {
  return new Date(toUtcInstant(wall)).getUTCDay();
}

/** The days that may be meant, the next one first; undefined = there is no such day in that month. */
function findDates(day: SaidDay, today: WallTime): readonly (WallTime | undefined)[] {
  switch (day.kind) {
    case "offset":
      return [shiftDays(today, day.days)];
    case "weekday": {
      const current = weekdayOf(today);
      if (day.week === undefined) {
        const days = (day.weekday - current + 7) % 7;
        return [shiftDays(today, days), shiftDays(today, days + 7)];
      }
      // A week begins on Monday.
      return [shiftDays(today, ((day.weekday + 6) % 7) - ((current + 6) % 7) + 7 * day.week)];
    }
    case "shifted":
      return [dateOf(today, today.year, today.month + day.months, day.day)];
    case "yearly":
      return [dateOf(today, today.year + day.years, day.month, day.day)];
    case "date": {
      if (day.month !== undefined && !(day.month >= 1 && day.month <= 12)) return [undefined];
      if (day.year !== undefined && day.month !== undefined) return [dateOf(today, day.year, day.month, day.day)];
      const { month } = day;
      // The next leap year is eight years away at the most; of two months one has a 31st.
      if (month !== undefined) return count(9).map((later) => dateOf(today, today.year + later, month, day.day));
      return count(3).map((later) => dateOf(today, today.year, today.month + later, day.day));
    }
  }
}

const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

function dateOf(wall: WallTime, year: number, month: number, day: number | "last"): WallTime | undefined {
  const first = new Date(toUtcInstant({ year, month, day: 1, hour: 0, minute: 0, second: 0 }));
  const wanted = { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1 };
  const length = new Date(
    toUtcInstant({ ...wanted, month: wanted.month + 1, day: 0, hour: 0, minute: 0, second: 0 }),
  ).getUTCDate();
  if (day !== "last" && !(day >= 1 && day <= length)) return undefined;
  return { ...wall, ...wanted, day: day === "last" ? length : day };
}
