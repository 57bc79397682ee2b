import type { Memory } from "../queries/memories.ts";

const dayMs = 24 * 3_600_000;

/** Days after which a memory counts half as recent. */
const halfLifeDays = { fact: 180, preference: 60, opinion: 30, attitude: 30 } as const;

/** Freshness from 0 to 1; saying it again makes it fresh, and a pinned memory stays so. */
function measureRecency(
  { category, lastAccessAt, pinned, validFrom }: Pick<Memory, "category" | "lastAccessAt" | "pinned" | "validFrom">,
  now: number,
): number {
  if (pinned) return 1;
  const days = Math.max(0, now - Math.max(validFrom, lastAccessAt)) / dayMs;
  return 0.5 ** (days / halfLifeDays[category]);
}

/** Weights of memory-persona research: half for what it says, a quarter each for how much it matters and how fresh it is. */
export function weigh(
  memory: Pick<Memory, "category" | "importance" | "lastAccessAt" | "pinned" | "validFrom">,
  now: number,
): number {
  return memory.pinned ? 1 : 0.5 + 0.25 * memory.importance + 0.25 * measureRecency(memory, now);
}
