import type { Clock } from "../../core/clock.ts";
import type { ModelStatus } from "../../models/types.ts";

const firstPauseMs = 5_000;
const maxPauseMs = 2 * 60_000;
/** The longest sleep of the timer: deadlines depend on the clock. */
const lookMs = 500;

interface Held {
  /** When its last request failed. */
  readonly triedAt: number;
  /** No request before this time: the server asked for it. */
  readonly notBefore: number;
  /** When it gives up. */
  readonly until: number;
}

/**
 * Decides when lanes that wait for a model try again: one at a time with growing pauses, and all at once when a model
 * that had failed answers a request.
 */
export interface OutageProbe {
  hold(lane: string, held: Held): void;
  /** A model answered a request. */
  answered(): void;
  stop(): void;
}

export function createOutageProbe(parts: {
  readonly wake: (lane: string) => void;
  readonly modelStatus: () => readonly ModelStatus[];
  readonly clock: Clock;
}): OutageProbe {
  const { clock } = parts;
  const held = new Map<string, Held>();
  let failures = 0;
  let nextAt = 0;
  let probing: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  /** Randomised, so that several installations do not retry at the same moment. */
  function pause(): number {
    return Math.min(firstPauseMs * 2 ** failures, maxPauseMs) * (0.75 + Math.random() / 4);
  }

  function wake(lane: string): void {
    held.delete(lane);
    parts.wake(lane);
  }

  function look(): void {
    timer = undefined;
    const now = clock.now();
    for (const [lane, { until }] of held) if (until <= now) wake(lane);
    if (now >= nextAt) {
      const ready = [...held].filter(([, { notBefore }]) => notBefore <= now);
      // The lane with the oldest attempt first: other lanes may use other models.
      const [next] = ready.toSorted(([, a], [, b]) => a.triedAt - b.triedAt);
      if (next) {
        failures += 1;
        nextAt = now + pause();
        [probing] = next;
        wake(probing);
      }
    }
    schedule();
  }

  function schedule(): void {
    if (stopped || held.size === 0) return;
    timer ??= setTimeout(look, lookMs).unref();
  }

  return {
    hold(lane, one) {
      if (held.size === 0 && lane !== probing) failures = 0;
      if (held.size === 0) nextAt = one.triedAt + pause();
      held.set(lane, one);
      schedule();
    },
    answered() {
      if (held.size === 0) return;
      failures = 0;
      const ready = parts.modelStatus().filter(({ state }) => state === "ready");
      // A model that never failed answers others all the time; the waiting lanes need another one.
      for (const [lane, { notBefore, triedAt }] of held)
        if (notBefore <= clock.now() && ready.some(({ since }) => since >= triedAt)) wake(lane);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
