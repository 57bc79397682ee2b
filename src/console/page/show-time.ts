export interface ShowTime {
  /** `11 月 28 日周六 09:12` */
  readonly long: (at: number) => string;
  /** The time alone when it is of the day of `now`, else with its day. */
  readonly short: (at: number, now: number) => string;
}

/** Times in the zone of the server's configuration, whatever the browser's own. */
export function createShowTime(tag: string, timeZone: string): ShowTime {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { timeZone, ...options });
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const day = format({ year: "numeric", month: "numeric", day: "numeric" });
  const time = format(clock);
  const dayAndTime = format({ month: "short", day: "numeric", ...clock });
  const long = format({ month: "long", day: "numeric", weekday: "short", ...clock });
  return {
    long: (at) => long.format(at),
    short: (at, now) => (day.format(at) === day.format(now) ? time : dayAndTime).format(at),
  };
}
