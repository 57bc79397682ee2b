import type { DayPart, SaidClock } from "../../core/schedule/time-parts.ts";

/** A day without an hour means nine in the morning. */
export const defaultHour = 9;
export const defaultHours: Readonly<Record<DayPart, number>> = {
  small: 5,
  morning: 8,
  noon: 12,
  afternoon: 15,
  evening: 18,
  night: 20,
  midnight: 24,
};

/** An hour of a day; 24 and more are the day after. Two = it may be either. */
export type Hours = readonly [number] | readonly [number, number];

/** The hours that a clock may mean; undefined = there is no such hour. */
export function findHours({ hour, minute, plain }: SaidClock, part: DayPart | undefined): Hours | undefined {
  if (!(hour <= 24 && minute < 60) || (hour === 24 && minute > 0)) return undefined;
  if (hour > 12 || hour === 0) return part === "night" || part === "midnight" ? [hour === 0 ? 24 : hour] : [hour];
  switch (part) {
    case undefined:
      return plain === true ? [hour] : hour === 12 ? [12, 24] : [hour, hour + 12];
    case "small":
      return [hour === 12 ? 0 : hour];
    case "morning":
      return [hour];
    case "noon":
      return [hour < 4 ? hour + 12 : hour];
    case "afternoon":
    case "evening":
      return [hour === 12 ? 12 : hour + 12];
    case "night":
    case "midnight":
      // One o'clock at night is after midnight.
      return [hour === 12 ? 24 : hour < 5 ? hour + 24 : hour + 12];
  }
}

/** Of a day that is named, six to eleven is the morning and twelve is noon: an evening would have been said. */
export function preferHour(hours: Hours): Hours {
  const [first] = hours;
  return hours.length === 1 || first >= 6 ? [first] : hours;
}
