import type { Duration } from "./add-duration.ts";
import type { Schedule } from "./schedule.ts";

/** Why the time is not clear yet: what the person has to be asked. */
export type TimeDoubt =
  /** Morning or evening; `options` are the two instants. */
  | { readonly why: "half"; readonly options: readonly [number, number] }
  /** "next Friday" on a Monday: the one of this week, or of the next. */
  | { readonly why: "week"; readonly options: readonly [number, number] }
  /** A clock of a place whose zone is not known. */
  | { readonly why: "place"; readonly place: string }
  /** 一会儿, 过几天, "later": how long that is. */
  | { readonly why: "vague" }
  /** Today, but at no hour, or at a part of the day that has passed. */
  | { readonly why: "hour" }
  /** A date of the lunar calendar or a feast that follows it. */
  | { readonly why: "lunar" }
  /** More than one time. */
  | { readonly why: "several" }
  /** A part of the words about the time is not taken in: a beginning, an end, an exception, the first Monday of a month. */
  | { readonly why: "unread" }
  /** From one hour to another: at which of them. */
  | { readonly why: "range" }
  /** A week, a month or a year: on which day. */
  | { readonly why: "day" }
  /** 30 February, 25:00. */
  | { readonly why: "impossible" };

/** The time in a person's words. `at` = an instant, milliseconds since 1970 UTC. */
export type TimeReading =
  | { readonly kind: "at"; readonly at: number }
  | { readonly kind: "recurring"; readonly schedule: Schedule }
  | ({ readonly kind: "ambiguous" } & TimeDoubt)
  /** The day was named, and the hour on it has passed. */
  | { readonly kind: "past"; readonly at: number }
  | { readonly kind: "none" };

export type DayPart = "small" | "morning" | "noon" | "afternoon" | "evening" | "night" | "midnight";

/** An hour as it was said; `plain` = by a clock of 24 hours, so 08:30 is the morning. */
export interface SaidClock {
  readonly hour: number;
  readonly minute: number;
  readonly second?: number;
  readonly plain?: boolean;
}

/** Weekdays and months as people count them: Sunday is 0, January 1. */
export type SaidDay =
  | { readonly kind: "offset"; readonly days: number }
  | { readonly kind: "weekday"; readonly weekday: number; readonly week?: number }
  | { readonly kind: "date"; readonly day: number | "last"; readonly month?: number; readonly year?: number }
  /** A date of a month or a year counted from this one. */
  | { readonly kind: "shifted"; readonly day: number | "last"; readonly months: number }
  | { readonly kind: "yearly"; readonly day: number | "last"; readonly month: number; readonly years: number };

export type SaidEvery =
  | { readonly kind: "days" }
  | { readonly kind: "weekdays"; readonly weekdays: readonly number[] }
  | { readonly kind: "week" }
  | { readonly kind: "month" }
  | { readonly kind: "year" }
  | { readonly kind: "interval"; readonly interval: Duration };

/** The parts of a time that a person has said, in no order. */
export interface TimeParts {
  readonly day?: SaidDay;
  readonly part?: DayPart;
  /** More than one only together with `every`. */
  readonly clocks?: readonly { readonly part?: DayPart; readonly clock: SaidClock }[];
  readonly after?: Duration;
  /** 提前十分钟 */
  readonly ahead?: Duration;
  readonly every?: SaidEvery;
  /** 周五前, "by Friday". */
  readonly before?: true;
  readonly doubt?: "vague" | "lunar" | "several" | "impossible" | "hour" | "unread" | "range" | "day";
}
