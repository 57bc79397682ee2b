import type { Clock } from "../core/clock.ts";

const keptMs = 30_000;
const maxKept = 1_000;

/** Asks the same question at most once in 30 seconds. `ask` answers undefined when it cannot tell: that counts as no and is not kept. */
export function createShortMemory(clock: Clock) {
  const known = new Map<string, { readonly answer: boolean; readonly until: number }>();
  return async (key: string, ask: () => Promise<boolean | undefined>): Promise<boolean> => {
    const before = known.get(key);
    if (before && clock.now() < before.until) return before.answer;
    const answer = await ask();
    known.delete(key);
    if (answer === undefined) return false;
    if (known.size >= maxKept) known.clear();
    known.set(key, { answer, until: clock.now() + keptMs });
    return answer;
  };
}
