import { toInstant, toUtcInstant, toWallTime } from "../../core/schedule/zoned-time.ts";

const pattern =
  /^(?:(\d{4})[-/](\d{1,2})[-/](\d{1,2}))?(?:[T\s]*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * The instant that a text names: a date, a time of day, or both (ISO 8601, also with a blank for T and / in dates). Without an
 * offset it is what clocks in `zone` show; without a date it is today there; without a time it is midnight.
 */
export function parseMoment(text: string, zone: string, now: number): number | undefined {
  const trimmed = text.trim();
  if (trimmed.toLowerCase() === "now") return now;
  const match = pattern.exec(trimmed);
  if (match === null || (match[1] === undefined && match[4] === undefined)) return undefined;
  const today = toWallTime(now, zone);
  const read = (index: number, otherwise: number): number =>
    match[index] === undefined ? otherwise : Number(match[index]);
  const wall = {
    year: read(1, today.year),
    month: read(2, today.month),
    day: read(3, today.day),
    hour: read(4, 0),
    minute: read(5, 0),
    second: read(6, 0),
  };
  const asUtc = toUtcInstant(wall);
  const back = new Date(asUtc);
  // 31 February and 25:00 would carry over into another day.
  const real = wall.hour < 24 && wall.minute < 60 && wall.second < 60 && back.getUTCDate() === wall.day;
  if (!real || back.getUTCMonth() + 1 !== wall.month) return undefined;
  const offset = match[7];
  return offset === undefined ? toInstant(wall, zone) : asUtc - parseOffset(offset);
}

function parseOffset(offset: string): number {
  if (offset.toUpperCase() === "Z") return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith("-") ? -1 : 1) * minutes * 60_000;
}
