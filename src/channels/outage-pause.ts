import { pickStep } from "./pick-step.ts";

/** Waiting times after the first, second … request in a row without an answer; the last one stays. Milliseconds. */
const steps = [2_000, 5_000, 10_000, 30_000, 60_000];

/** How long to wait before a platform that does not answer is asked again. */
export interface OutagePause {
  /** A request got no answer. */
  next(): number;
  /** A request was answered. */
  over(): void;
}

/** Requests that fail in parallel are one failure: a short outage must not count once for each chat. */
export function createOutagePause(now: () => number = () => performance.now()): OutagePause {
  let failures = 0;
  let until = 0;
  return {
    next() {
      const left = until - now();
      if (left > 0) return Math.ceil(left);
      const pause = pickStep(steps, failures);
      failures += 1;
      until = now() + pause;
      return pause;
    },
    over() {
      failures = 0;
      until = 0;
    },
  };
}
