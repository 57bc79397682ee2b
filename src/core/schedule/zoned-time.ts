/** A date and time as a clock on the wall shows it; month and day are counted from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const dayMs = 86_400_000;

/** The time zone that a text names: an IANA name, or an offset such as +08:00, UTC+8, GMT-3:30. */
export function resolveZone(text: string): string | undefined {
  const offset = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(text.trim());
  const name = offset === null ? text.trim() : `${offset[1]}${(offset[2] ?? "").padStart(2, "0")}:${offset[3] ?? "00"}`;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The clock time in `zone` at an instant (milliseconds since 1970 UTC). */
export function toWallTime(instant: number, zone: string): WallTime {
  const format = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = format.formatToParts(instant);
  const read = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value);
  return {
    year: read("year"),
    month: read("month"),
    day: read("day"),
    hour: read("hour"),
    minute: read("minute"),
    second: read("second"),
  };
}

/** The instant at which clocks in UTC show this; parts beyond their range carry over (day 32, hour -1). */
export function toUtcInstant(wall: WallTime): number {
  const date = new Date(0);
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day);
  date.setUTCHours(wall.hour, wall.minute, wall.second, 0);
  return date.getTime();
}

/** Milliseconds that clocks in `zone` are ahead of UTC. */
function readOffset(instant: number, zone: string): number {
  const whole = Math.floor(instant / 1000) * 1000;
  return toUtcInstant(toWallTime(whole, zone)) - whole;
}

/**
 * The instant at which clocks in `zone` show this. A time that happens twice (clocks go back) is the first of the two; one that
 * never happens (clocks go forward) is as much later as the gap is long. The same choice as Temporal's "compatible".
 */
export function toInstant(wall: WallTime, zone: string): number {
  const asUtc = toUtcInstant(wall);
  const before = asUtc - readOffset(asUtc - dayMs, zone);
  const after = asUtc - readOffset(asUtc + dayMs, zone);
  const fits = [before, after].filter((instant) => instant + readOffset(instant, zone) === asUtc);
  return fits.length === 0 ? before : Math.min(...fits);
}

/** ISO 8601 with the zone's offset, to the second: 2026-11-22T09:00:00+09:00. */
export function formatIso(instant: number, zone: string): string {
  const offset = readOffset(instant, zone);
  const local = new Date(Math.floor(instant / 1000) * 1000 + offset).toISOString().slice(0, 19);
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const pad = (value: number): string => String(value).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
