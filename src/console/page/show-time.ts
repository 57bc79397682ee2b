export interface ShowTime {
  /** `11 月 28 日周六 09:12` */
  readonly long: (at: number) => string;
  /** The time alone when it is of the day of `now`, else with its day. */
  readonly short: (at: number, now: number) => string;
  /** `21:04` */
  readonly clock: (at: number) => string;
  /** The time today, the day of the week in the days before, else the date. */
  readonly brief: (at: number, now: number) => string;
  /** `11 月 28 日周六`, with the year when it is another one. */
  readonly day: (at: number, now: number) => string;
  /** `2026-11-29` */
  readonly date: (at: number) => string;
  readonly isSameDay: (one: number, other: number) => boolean;
}

const dayMs = 24 * 3_600_000;

/** Times in the zone of the server's configuration, not in the browser's. */
export function createShowTime(tag: string, timeZone: string): ShowTime {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { timeZone, ...options });
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const day = format({ year: "numeric", month: "numeric", day: "numeric" });
  const time = format(clock);
  const dayAndTime = format({ month: "short", day: "numeric", ...clock });
  const long = format({ month: "long", day: "numeric", weekday: "short", ...clock });
  const week = format({ weekday: "short" });
  const date = format({ month: "short", day: "numeric" });
  const wholeDay = format({ month: "long", day: "numeric", weekday: "short" });
  const yearAndDay = format({ year: "numeric", month: "long", day: "numeric" });
  const year = format({ year: "numeric" });
  // Swedes write dates as ISO 8601 does.
  const isoDay = new Intl.DateTimeFormat("sv", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  const isSameDay = (one: number, other: number) => day.format(one) === day.format(other);
  return {
    isSameDay,
    date: (at) => isoDay.format(at),
    clock: (at) => time.format(at),
    brief: (at, now) => (isSameDay(at, now) ? time : now - at < 6 * dayMs ? week : date).format(at),
    day: (at, now) => (year.format(at) === year.format(now) ? wholeDay : yearAndDay).format(at),
    long: (at) => long.format(at),
    short: (at, now) => (day.format(at) === day.format(now) ? time : dayAndTime).format(at),
  };
}
