import type { Duration } from "../../core/schedule/add-duration.ts";
import { attempt, type TokenReader } from "./token-reader.ts";

/** 两个半小时, 三小时二十分钟, 一刻钟, 半年; "vague" = 几天. */
export function readLength(reader: TokenReader): Duration | undefined {
  const total = { months: 0, days: 0, milliseconds: 0 };
  for (let parts = 0; parts < 4; parts += 1) {
    const part = attempt(reader, () => readLengthPart(reader));
    if (part === undefined) return parts === 0 ? undefined : total;
    total.months += part.months;
    total.days += part.days;
    total.milliseconds += part.milliseconds;
  }
  return total;
}

const lengths = {
  second: { milliseconds: 1000 },
  minute: { milliseconds: 60_000 },
  quarter: { milliseconds: 900_000 },
  hour: { milliseconds: 3_600_000 },
  day: { days: 1, half: { milliseconds: 43_200_000 } },
  week: { days: 7 },
  month: { months: 1, half: { days: 15 } },
  year: { months: 12, half: { months: 6 } },
} as const satisfies Readonly<Record<string, Partial<Duration> & { readonly half?: Partial<Duration> }>>;

const maxOfAUnit = 100_000;

function readLengthPart(reader: TokenReader): Duration | undefined {
  const number = reader.take("number");
  const isHalfOnly = number === undefined && reader.take("half") !== undefined;
  if (number === undefined && !isHalfOnly) return undefined;
  reader.take("measure");
  let half = isHalfOnly || (number !== undefined && reader.take("half") !== undefined);
  const unit = reader.take("unit")?.unit;
  if (unit === undefined || (number?.value ?? 0) > maxOfAUnit) return undefined;
  // 一天半, 1時間半
  if (!half) half = reader.take("half") !== undefined;
  return multiplyUnit(unit, number?.value ?? 0, half);
}

export function multiplyUnit(unit: keyof typeof lengths, count: number, half: boolean): Duration | undefined {
  const size: Partial<Duration> & { readonly half?: Partial<Duration> } = lengths[unit];
  const extra = half ? (size.half ?? (size.milliseconds ? { milliseconds: size.milliseconds / 2 } : undefined)) : {};
  if (extra === undefined) return undefined;
  const sum = (key: keyof Duration): number => count * (size[key] ?? 0) + (extra[key] ?? 0);
  return { months: sum("months"), days: sum("days"), milliseconds: sum("milliseconds") };
}

/** 三天后, 再过十分钟, 过几天. */
export function readAfter(reader: TokenReader): Duration | "vague" | undefined {
  const isIn = reader.take("in", "after") !== undefined;
  const some = reader.take("some");
  if (some) {
    reader.take("measure");
    if (!reader.take("unit")) return undefined;
    return isIn || reader.take("after") ? "vague" : undefined;
  }
  const length = readLength(reader);
  if (length === undefined) return undefined;
  const isAfter = reader.take("after") !== undefined;
  return isIn || isAfter ? length : undefined;
}
