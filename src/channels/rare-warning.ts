import type { Logger } from "pino";

const pauseMs = 60_000;

/**
 * Lets `most` lines a minute through. Answers how many were left out since the last one that was let through; undefined =
 * this one is left out, too.
 */
export function createMinuteLimit(most: number, now: () => number = () => performance.now()): () => number | undefined {
  let begunAt = -Infinity;
  let count = 0;
  let unsaid = 0;
  return () => {
    if (now() - begunAt >= pauseMs) {
      begunAt = now();
      count = 0;
    }
    count += 1;
    if (count > most) {
      unsaid += 1;
      return undefined;
    }
    const left = unsaid;
    unsaid = 0;
    return left;
  };
}

/** Warns of what anybody can cause as often as they like: once a minute, with how often it was not said before. */
export function createRareWarning(log: Logger, text: string, now: () => number = () => performance.now()): () => void {
  const count = createMinuteLimit(1, now);
  return () => {
    const unsaid = count();
    if (unsaid !== undefined) log.warn({ unsaid }, text);
  };
}
