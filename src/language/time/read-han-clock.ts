import type { DayPart, SaidClock, TimeParts } from "../../core/schedule/time-parts.ts";
import { attempt, type TokenReader } from "./token-reader.ts";

type Clocks = NonNullable<TimeParts["clocks"]>;

/** 早上八点, 20:30, 晚上; 八点和十八点. A part of the day without an hour is one too. */
export function readClocks(
  reader: TokenReader,
  known: DayPart | undefined,
  isDayKnown: boolean,
): Pick<TimeParts, "clocks" | "part"> | undefined {
  const first = readOne(reader, known, isDayKnown);
  if (first === undefined) return undefined;
  if (first.clock === undefined) return { part: first.part };
  const clocks: Clocks[number][] = [first];
  for (let more = 0; more < 8; more += 1) {
    const next = attempt(reader, () => {
      if (!reader.take("and") && reader.sign("、,，") === undefined) return undefined;
      const other = readOne(reader, undefined, true);
      return other?.clock === undefined ? undefined : other;
    });
    if (next === undefined) break;
    clocks.push(next);
  }
  return { clocks };
}

function readOne(
  reader: TokenReader,
  known: DayPart | undefined,
  isDayKnown: boolean,
): (Clocks[number] | { readonly part: DayPart; readonly clock?: undefined }) | undefined {
  const named = reader.take("part");
  const later = reader.take("part");
  const part = later?.part ?? named?.part ?? known;
  const clock = attempt(reader, () => {
    reader.take("of");
    // 「早一点睡」 is no hour, 「早八点」 is one.
    return readClock(reader, isDayKnown || (part !== undefined && named?.short !== true));
  });
  if (clock) return { ...(part && { part }), clock };
  if (named === undefined || part === undefined) return undefined;
  return named.short && !isDayKnown ? undefined : { part };
}

function readClock(reader: TokenReader, isTimeExpected: boolean): SaidClock | undefined {
  return attempt(reader, () => readColons(reader)) ?? attempt(reader, () => readHour(reader, isTimeExpected));
}

/** 8:30, 08:30, 20:30:05. */
function readColons(reader: TokenReader): SaidClock | undefined {
  if (/[\d:.]/.test(reader.before())) return undefined;
  const hour = reader.take("number");
  if (hour === undefined || reader.sign(":") === undefined) return undefined;
  const minute = reader.take("number");
  if (!/^\d{1,2}$/.test(hour.text) || minute === undefined || !/^\d{2}$/.test(minute.text)) return undefined;
  const second = attempt(reader, () => (reader.sign(":") === undefined ? undefined : reader.take("number")));
  if (reader.peek()?.kind === "sign" && reader.sign(":") !== undefined) return undefined;
  return {
    hour: hour.value,
    minute: minute.value,
    ...(second && { second: second.value }),
    ...(hour.text.length === 2 && { plain: true }),
  };
}

/** 八点, 八点半, 三点一刻, 二十三点四十五(分), 9时整; 有三点, 快一点 and 三点建议 are no hours. */
function readHour(reader: TokenReader, isTimeExpected: boolean): SaidClock | undefined {
  const before = reader.before();
  const hour = reader.take("number");
  const word = hour && reader.take("clock");
  if (hour === undefined || word === undefined) return undefined;
  if (reader.take("exactly")) return { hour: hour.value, minute: 0 };
  if (reader.take("half")) return { hour: hour.value, minute: 30 };
  const minute = attempt(reader, () => readMinute(reader));
  if (minute !== undefined) return { hour: hour.value, minute };
  if (word.to - word.from > 1 || isTimeExpected) return { hour: hour.value, minute: 0 };
  const next = reader.peek();
  const after = next?.kind === "sign" && next.from === word.to ? next.sign : "";
  // 「一点」 is more often a little than one o'clock, and points are counted with the same word.
  if (hour.text === "一" || "有这那几第说讲提共下以快慢多少好差点".includes(before || " ")) return undefined;
  return "建意要原理好内问注启内体想头五零".includes(after || " ") ? undefined : { hour: hour.value, minute: 0 };
}

function readMinute(reader: TokenReader): number | undefined {
  const number = reader.take("number");
  if (number === undefined) return undefined;
  const unit = attempt(reader, () => {
    const token = reader.take("unit");
    return token?.unit === "minute" || token?.unit === "quarter" ? token.unit : undefined;
  });
  if (unit === "quarter") return number.value <= 3 ? number.value * 15 : undefined;
  if (unit === "minute") return number.value;
  // 「八点三个人」 counts people; 「八点四十五」 is a minute.
  const next = reader.peek()?.kind;
  if (next === "measure" || next === "unit" || next === "times" || number.text.length < 2) return undefined;
  return number.value;
}
