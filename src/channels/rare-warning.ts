import type { Logger } from "pino";

const pauseMs = 60_000;

/**
 * A counter that lets at most `max` log lines a minute through. It answers how many lines were dropped since the last one that
 * was let through, or undefined when this line must be dropped as well.
 */
export function createMinuteLimit(max: number, now: () => number = () => performance.now()): () => number | undefined {
  let begunAt = -Infinity;
  let count = 0;
  let unsaid = 0;
  return () => {
    if (now() - begunAt >= pauseMs) {
      begunAt = now();
      count = 0;
    }
    count += 1;
    if (count > max) {
      unsaid += 1;
      return undefined;
    }
    const left = unsaid;
    unsaid = 0;
    return left;
  };
}

/** Logs at most one warning a minute about an event that any caller can cause, with the number of events since the last one. */
export function createRareWarning(log: Logger, text: string, now: () => number = () => performance.now()): () => void {
  const count = createMinuteLimit(1, now);
  return () => {
    const unsaid = count();
    if (unsaid !== undefined) log.warn({ unsaid }, text);
  };
}
