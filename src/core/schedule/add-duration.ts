import { toInstant, toUtcInstant, toWallTime } from "./zoned-time.ts";

/** Years to days are steps of the calendar; hours to seconds are exact time. */
export interface Duration {
  readonly months: number;
  readonly days: number;
  readonly milliseconds: number;
}

const iso =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const short =
  /(\d+(?:\.\d+)?)\s*(years?|y|months?|mo|weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\s*/giy;

const units: Readonly<Record<string, Duration>> = {
  y: { months: 12, days: 0, milliseconds: 0 },
  mo: { months: 1, days: 0, milliseconds: 0 },
  w: { months: 0, days: 7, milliseconds: 0 },
  d: { months: 0, days: 1, milliseconds: 0 },
  h: { months: 0, days: 0, milliseconds: 3_600_000 },
  m: { months: 0, days: 0, milliseconds: 60_000 },
  s: { months: 0, days: 0, milliseconds: 1000 },
};

/** Ten thousand years of each; beyond it dates cannot be represented. */
const longest: Duration = { months: 120_000, days: 3_660_000, milliseconds: 3.2e14 };

/** `3h`, `-2d`, `1h30m`, `2 weeks` (m = minutes, mo = months), or ISO 8601: `P1DT2H`, `-P1M`. */
export function parseDuration(text: string): Duration | undefined {
  const trimmed = text.trim();
  const sign = trimmed.startsWith("-") ? -1 : 1;
  const body = trimmed.replace(/^[+-]\s*/, "");
  const amounts = readIso(body) ?? readShort(body);
  if (amounts === undefined) return undefined;
  const total = { months: 0, days: 0, milliseconds: 0 };
  for (const [amount, unit] of amounts) {
    const size = units[unit];
    if (size === undefined) return undefined;
    if (size.milliseconds === 0 && !Number.isInteger(amount)) return undefined;
    total.months += sign * amount * size.months;
    total.days += sign * amount * size.days;
    total.milliseconds += sign * amount * size.milliseconds;
  }
  const inBounds = Object.keys(longest).every(
    (part) => Math.abs(total[part as keyof Duration]) <= longest[part as keyof Duration],
  );
  return inBounds ? total : undefined;
}

function readIso(body: string): [number, string][] | undefined {
  const match = iso.exec(body);
  if (match === null || body.length < 3) return undefined;
  const order = ["y", "mo", "w", "d", "h", "m", "s"];
  return order.flatMap((unit, index): [number, string][] => {
    const amount = match[index + 1];
    return amount === undefined ? [] : [[Number(amount), unit]];
  });
}

function readShort(body: string): [number, string][] | undefined {
  const matches = [...body.matchAll(short)];
  const length = matches.reduce((sum, match) => sum + match[0].length, 0);
  if (matches.length === 0 || length !== body.length) return undefined;
  return matches.map((match): [number, string] => {
    const unit = (match[2] ?? "").toLowerCase();
    return [Number(match[1]), unit.startsWith("mo") ? "mo" : unit.slice(0, 1)];
  });
}

/** The calendar part first (31 January + 1 month is the last of February), the exact part after it. */
export function addDuration(instant: number, duration: Duration, zone: string): number {
  if (duration.months === 0 && duration.days === 0) return instant + duration.milliseconds;
  const wall = toWallTime(instant, zone);
  const months = wall.year * 12 + (wall.month - 1) + duration.months;
  const year = Math.floor(months / 12);
  const month = (((months % 12) + 12) % 12) + 1;
  const first = { year, month, day: 1, hour: 0, minute: 0, second: 0 };
  const lastDay = new Date(toUtcInstant({ ...first, month: month + 1, day: 0 })).getUTCDate();
  const shifted = { ...wall, year, month, day: Math.min(wall.day, lastDay) + duration.days };
  const carried = new Date(toUtcInstant(shifted));
  const target = {
    ...wall,
    year: carried.getUTCFullYear(),
    month: carried.getUTCMonth() + 1,
    day: carried.getUTCDate(),
  };
  return toInstant(target, zone) + duration.milliseconds;
}
