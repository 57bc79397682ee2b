import { toInstant, toWallTime } from "../../core/schedule/zoned-time.ts";

/** From one minute of the day to another, every day; `until` before `from` = over midnight. */
export interface QuietHours {
  readonly from: number;
  readonly until: number;
  readonly zone: string;
}

/** The end of the quiet hours at this moment; undefined outside of them. */
export function findQuietEnd({ from, until, zone }: QuietHours, now: number): number | undefined {
  const wall = toWallTime(now, zone);
  const minute = wall.hour * 60 + wall.minute;
  const isQuiet = from < until ? minute >= from && minute < until : minute >= from || minute < until;
  if (!isQuiet) return undefined;
  const day = minute < until ? wall.day : wall.day + 1;
  const end = toInstant({ ...wall, day, hour: Math.floor(until / 60), minute: until % 60, second: 0 }, zone);
  // When clocks go back, the hour comes a second time.
  return end > now ? end : undefined;
}
