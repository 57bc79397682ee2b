import { addDuration, type Duration } from "../../core/schedule/add-duration.ts";
import { findNext, type Schedule } from "../../core/schedule/schedule.ts";
import type { SaidDay, SaidEvery, TimeParts, TimeReading } from "../../core/schedule/time-parts.ts";
import { resolveOnce, weekdayOf } from "./resolve-once.ts";
import { findHours, preferHour, defaultHour, defaultHours } from "./said-hours.ts";
import { toWallTime } from "../../core/schedule/zoned-time.ts";

/** The schedule of what comes back. Days and hours are those of clocks in `zone`; what is left open is as it is today. */
export function resolveEvery(parts: TimeParts, every: SaidEvery, now: number, zone: string): TimeReading {
  if (!fitsDay(every, parts.day) || parts.after) return { kind: "ambiguous", why: "unread" };
  if (every.kind === "interval") return resolveInterval(parts, every.interval, now, zone);
  const said = parts.clocks ?? [];
  const clocks = said.length > 0 ? said : [{ clock: undefined, ...(parts.part && { part: parts.part }) }];
  const hours: number[] = [];
  const minute = said[0]?.clock.minute ?? 0;
  for (const { part = parts.part, clock } of clocks) {
    if (clock && (clock.minute !== minute || (clock.second ?? 0) > 0)) return { kind: "ambiguous", why: "several" };
    const found = clock
      ? findHours(clock, part)
      : part === undefined
        ? ([defaultHour] as const)
        : ([defaultHours[part]] as const);
    if (found === undefined) return { kind: "ambiguous", why: "impossible" };
    const [hour, other] = preferHour(found);
    if (other !== undefined) return askHalf([hour, other], minute, parts, every, now, zone);
    hours.push(hour);
  }
  return endCron(hours, minute, parts, every, now, zone);
}

/** A day that the repetition has no place for (每月周一, 每天15号) must not be left out without a word. */
function fitsDay(every: SaidEvery, day: SaidDay | undefined): boolean {
  if (day === undefined) return true;
  switch (every.kind) {
    case "days":
    case "weekdays":
      return false;
    case "week":
      return day.kind === "weekday" && day.week === undefined;
    case "month":
      return day.kind === "date" && day.month === undefined;
    case "year":
      return day.kind === "date" && day.month !== undefined && day.year === undefined;
    case "interval": {
      const { months, days, milliseconds } = every.interval;
      if (months > 0) return day.kind === "date" && day.year === undefined;
      return day.kind === "weekday" && days > 0 && days % 7 === 0 && milliseconds === 0;
    }
  }
}

function askHalf(
  hours: readonly [number, number],
  minute: number,
  parts: TimeParts,
  every: Exclude<SaidEvery, { kind: "interval" }>,
  now: number,
  zone: string,
): TimeReading {
  const [first, second] = hours.map((hour) => {
    const reading = endCron([hour], minute, parts, every, now, zone);
    return reading.kind === "recurring" ? findNext(reading.schedule, now) : undefined;
  });
  if (first === undefined || second === undefined) return { kind: "ambiguous", why: "impossible" };
  return { kind: "ambiguous", why: "half", options: [first, second] };
}

function endCron(
  hours: readonly number[],
  minute: number,
  parts: TimeParts,
  every: Exclude<SaidEvery, { kind: "interval" }>,
  now: number,
  zone: string,
): TimeReading {
  const days = writeDays(every, parts.day, now, zone);
  if (days === undefined) return { kind: "ambiguous", why: "impossible" };
  // Past midnight is the next weekday. Dates have no such next day in cron: there it is the last minute before it.
  const isLate = hours.some((hour) => hour >= 24);
  if (isLate && hours.length > 1) return { kind: "ambiguous", why: "several" };
  const isDated = days.dates !== "* *";
  const clock =
    isLate && isDated
      ? "59 23"
      : `${minute} ${[...new Set(hours)]
          .map((hour) => hour % 24)
          .toSorted((one, other) => one - other)
          .join(",")}`;
  const weekdays = isLate && !isDated ? days.weekdays?.map((day) => (day + 1) % 7) : days.weekdays;
  const cron = `${clock} ${days.dates} ${writeWeekdays(weekdays)}`;
  const schedule: Schedule = { kind: "cron", cron, zone };
  return findNext(schedule, now) === undefined
    ? { kind: "ambiguous", why: "impossible" }
    : { kind: "recurring", schedule };
}

/** Day and month of a cron expression, and its weekdays. */
function writeDays(
  every: Exclude<SaidEvery, { kind: "interval" }>,
  day: SaidDay | undefined,
  now: number,
  zone: string,
): { readonly dates: string; readonly weekdays?: readonly number[] } | undefined {
  const today = toWallTime(now, zone);
  const date = day?.kind === "date" ? day : undefined;
  const dayOfMonth = date === undefined ? today.day : date.day === "last" ? "L" : date.day;
  switch (every.kind) {
    case "days":
      return { dates: "* *" };
    case "weekdays":
      return { dates: "* *", weekdays: every.weekdays };
    case "week":
      return { dates: "* *", weekdays: [day?.kind === "weekday" ? day.weekday : weekdayOf(today)] };
    case "month":
      return isDayOfMonth(dayOfMonth) ? { dates: `${dayOfMonth} *` } : undefined;
    case "year": {
      const month = date?.month ?? today.month;
      return isDayOfMonth(dayOfMonth) && isMonth(month) ? { dates: `${dayOfMonth} ${month}` } : undefined;
    }
  }
}

const isMonth = (month: number): boolean => month >= 1 && month <= 12;
const isDayOfMonth = (day: number | "L"): boolean => day === "L" || (day >= 1 && day <= 31);

function writeWeekdays(weekdays: readonly number[] | undefined): string {
  if (weekdays === undefined || weekdays.length === 7) return "*";
  const sorted = weekdays.toSorted((one, other) => one - other);
  return sorted.join(",") === "1,2,3,4,5" ? "1-5" : sorted.join(",");
}

/** Hours and minutes count from now; days, weeks and months from their first time. Months come back on their day. */
function resolveInterval(parts: TimeParts, interval: Duration, now: number, zone: string): TimeReading {
  if (interval.months > 0) return resolveMonths(parts, interval, now, zone);
  if (interval.days + interval.milliseconds <= 0) return { kind: "ambiguous", why: "impossible" };
  const { day, part } = parts;
  const clocks = parts.clocks?.map(({ clock, ...said }) => ({ ...said, clock: { ...clock, plain: clock.hour >= 6 } }));
  if (!clocks && !day && !part)
    return { kind: "recurring", schedule: repeatEvery(interval, addDuration(now, interval, zone), zone) };
  const first = resolveOnce({ ...(clocks && { clocks }), ...(day && { day }), ...(part && { part }) }, now, zone);
  return first.kind === "at" ? { kind: "recurring", schedule: repeatEvery(interval, first.at, zone) } : first;
}

/** Days are those of the clocks in `zone`; hours and less are exact time. */
export function repeatEvery({ days, milliseconds }: Duration, from: number, zone: string): Schedule {
  const everyMs = days * 86_400_000 + milliseconds;
  return { kind: "every", everyMs, from, ...(days > 0 && milliseconds === 0 && { zone }) };
}

/** Counted from the first day of that name that is to come; without a day, from today's. */
function resolveMonths(
  { clocks = [], day: said, part }: TimeParts,
  { months, days, milliseconds }: Duration,
  now: number,
  zone: string,
): TimeReading {
  const isEven = months === 12 || 12 % months === 0;
  const [spoken, second] = clocks;
  if (days > 0 || milliseconds > 0 || !isEven || second || spoken?.clock.second)
    return { kind: "ambiguous", why: "several" };
  const today = toWallTime(now, zone);
  const date = said?.kind === "date" ? said : undefined;
  const day = date === undefined ? today.day : date.day === "last" ? "L" : date.day;
  const named = part ?? spoken?.part;
  const hours = spoken
    ? findHours(spoken.clock, spoken.part ?? part)
    : ([named ? defaultHours[named] : defaultHour] as const);
  if (hours === undefined || !isDayOfMonth(day) || !isMonth(date?.month ?? 1))
    return { kind: "ambiguous", why: "impossible" };
  const minute = spoken?.clock.minute ?? 0;
  const dues = preferHour(hours).map((hour) => {
    // The midnight behind a date has no place in cron.
    if (hour >= 24) return undefined;
    const write = (inMonths: string | number): Schedule => ({
      kind: "cron",
      cron: `${minute} ${hour} ${day} ${inMonths} *`,
      zone,
    });
    const first = date ? findNext(write(date.month ?? "*"), now) : now;
    if (first === undefined) return undefined;
    const { month } = toWallTime(first, zone);
    const list = Array.from({ length: 12 / months }, (_, index) => ((month - 1 + index * months) % 12) + 1);
    const schedule = write(list.toSorted((one, other) => one - other).join(","));
    const at = findNext(schedule, now);
    return at === undefined ? undefined : { schedule, at };
  });
  const [one, other] = dues;
  if (one === undefined) return { kind: "ambiguous", why: "impossible" };
  if (dues.length === 1) return { kind: "recurring", schedule: one.schedule };
  return other
    ? { kind: "ambiguous", why: "half", options: [one.at, other.at] }
    : { kind: "ambiguous", why: "impossible" };
}
