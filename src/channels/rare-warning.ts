import type { Logger } from "pino";

const pauseMs = 60_000;

/** Warns of what anybody can cause as often as they like: once a minute, with how often it was not said before. */
export function createRareWarning(log: Logger, text: string, now: () => number = () => performance.now()): () => void {
  let warnedAt = -Infinity;
  let unsaid = 0;
  return () => {
    if (now() - warnedAt < pauseMs) {
      unsaid += 1;
      return;
    }
    log.warn({ unsaid }, text);
    warnedAt = now();
    unsaid = 0;
  };
}
