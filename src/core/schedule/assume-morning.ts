import type { TimeParts } from "./time-parts.ts";

const waking = /起床|叫醒|起来|闹钟|鬧鐘|起こして|起きる|目覚まし|\bwake\b|\bget up\b|\balarm\b/i;

/** People get up in the morning: the seven of 「7点叫我起床」 is not the evening's. */
export function assumeMorning(parts: TimeParts, text: string): TimeParts {
  const { clocks } = parts;
  if (clocks === undefined || parts.part !== undefined || !waking.test(text)) return parts;
  return {
    ...parts,
    clocks: clocks.map((said) =>
      said.part === undefined && said.clock.plain !== true && said.clock.hour >= 4 && said.clock.hour <= 11
        ? { ...said, part: "morning" }
        : said,
    ),
  };
}
