import { attempt, type TokenReader } from "./token-reader.ts";

const weekdaySigns = "日一二三四五六";

/** 周一, 周一到周五, 周一、周三和周五, 周一三五. */
export function readWeekdayList(reader: TokenReader): readonly number[] | undefined {
  const first = reader.take("weekday")?.weekday;
  if (first === undefined) return undefined;
  const list = [first, ...readWeekdaySigns(reader)];
  for (let more = 0; more < 7; more += 1) {
    const next = attempt(reader, () => {
      const isRange = reader.take("to") !== undefined || reader.sign("-~—～") !== undefined;
      const isList = !isRange && (reader.take("and") !== undefined || reader.sign("、,，・") !== undefined);
      const weekday = reader.take("weekday")?.weekday;
      if (weekday !== undefined) return { days: [weekday], isRange };
      const days = isList || isRange ? readWeekdaySigns(reader) : [];
      return days.length === 0 ? undefined : { days, isRange };
    });
    if (next === undefined) break;
    const last = list.at(-1) ?? first;
    if (next.isRange) for (let day = (last + 1) % 7; day !== next.days[0]; day = (day + 1) % 7) list.push(day);
    list.push(...next.days);
  }
  return [...new Set(list)].toSorted((one, other) => one - other);
}

/** The 三五 of 周一三五; in 三五九点 the last belongs to the hour, and 三点 is an hour. */
function readWeekdaySigns(reader: TokenReader): readonly number[] {
  const token = reader.peek();
  // 周六日
  if (token?.kind === "unit" && token.date === true) return reader.take("unit") ? [0] : [];
  if (token?.kind !== "number") return [];
  const next = reader.peek(1)?.kind;
  if (next === "unit" || next === "measure" || next === "times" || next === "half") return [];
  const signs = Array.from(token.text);
  const days = (next === "clock" ? signs.slice(0, -1) : signs).map((sign) => weekdaySigns.indexOf(sign));
  if (days.length === 0 || days.includes(-1)) return [];
  if (next === "clock") reader.cut(days.length);
  else reader.take("number");
  return days;
}
