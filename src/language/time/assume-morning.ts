import type { TimeParts } from "../../core/schedule/time-parts.ts";

const waking =
  /叫(?:我|醒)?[^，,。]{0,8}起床|叫醒我|起床闹钟|(?:定|设|訂|订)(?:个|一个|個)?[^，,。]{0,6}(?:闹钟|鬧鐘)|\bwake me\b|\bget me up\b|^\s*(?:please\s)?(?:set\s)?(?:an?\s)?alarm\b|起こして|目覚まし/i;
const reminding = /提醒|\bremind\b/i;

/** People get up in the morning: the seven of 「7点叫我起床」 is not the evening's. */
export function assumeMorning(parts: TimeParts, text: string): TimeParts {
  const { clocks } = parts;
  if (clocks === undefined || parts.part !== undefined || !waking.test(text) || reminding.test(text)) return parts;
  return {
    ...parts,
    clocks: clocks.map((said) =>
      said.part === undefined && said.clock.plain !== true && said.clock.hour >= 4 && said.clock.hour <= 11
        ? { ...said, part: "morning" }
        : said,
    ),
  };
}
