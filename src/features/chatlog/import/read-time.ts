import { resolveZone, toInstant, toUtcInstant, type WallTime } from "../../../core/schedule/zoned-time.ts";

/** Returns undefined for text that is no time. */
export type ReadTime = (text: string) => number | undefined;

const wallTime =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d{1,9})?(?: ?([AP]M))?(Z|[+-]\d{2}:?\d{2})?$/i;
/** Clocks change by quarters of an hour, nowhere by less. */
const quarterMs = 900_000;
const maxKnown = 10_000;
/** The year 2286 in seconds: a greater number counts milliseconds. */
const secondsEnd = 10_000_000_000;

/**
 * Reads times as clocks in `zone` show them (2024-05-01 12:00:00, 2024/5/1 8:05:03 PM), or with an explicit offset. The
 * offset of each quarter of an hour is computed once: the calendar takes longer than all the rest of an import.
 */
export function createReadTime(zone: string): ReadTime {
  const resolved = resolveZone(zone) ?? "UTC";
  const offsets = new Map<number, number>();
  return (text) => {
    const found = wallTime.exec(text);
    if (found === null) return undefined;
    const [, year, month, day, hour, minute, second = "0", half, offset] = found;
    const wall: WallTime = {
      year: Number(year),
      month: Number(month),
      day: Number(day),
      hour: toHour(Number(hour), half),
      minute: Number(minute),
      second: Number(second),
    };
    if (!isWallTime(wall)) return undefined;
    const asUtc = toUtcInstant(wall);
    if (offset !== undefined) return asUtc - readOffset(offset);
    const quarter = Math.floor(asUtc / quarterMs);
    let shift = offsets.get(quarter);
    if (shift === undefined) {
      if (offsets.size >= maxKnown) offsets.clear();
      const start = new Date(quarter * quarterMs);
      const begin: WallTime = {
        year: start.getUTCFullYear(),
        month: start.getUTCMonth() + 1,
        day: start.getUTCDate(),
        hour: start.getUTCHours(),
        minute: start.getUTCMinutes(),
        second: 0,
      };
      shift = quarter * quarterMs - toInstant(begin, resolved);
      offsets.set(quarter, shift);
    }
    return asUtc - shift;
  };
}

function toHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toUpperCase() === "PM" ? 12 : 0);
}

function isWallTime({ year, month, day, hour, minute, second }: WallTime): boolean {
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) return false;
  return hour < 24 && minute < 60 && second < 60;
}

/** Z, +08:00, -0330. */
function readOffset(text: string): number {
  if (text.length === 1) return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return (text.startsWith("-") ? -minutes : minutes) * 60_000;
}

/** A time as JSON has it: seconds or milliseconds since 1970, as a number or as text, or else a date. */
export function readInstant(value: unknown, readTime: ReadTime): number | undefined {
  const number =
    typeof value === "number" ? value : typeof value === "string" && /^\d{9,14}$/.test(value) ? +value : NaN;
  if (Number.isFinite(number)) {
    const instant = Math.floor(number >= secondsEnd ? number : number * 1_000);
    return instant > 0 && instant < secondsEnd * 1_000 ? instant : undefined;
  }
  return typeof value === "string" ? readTime(value.trim()) : undefined;
}
