import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import { isStoreFault } from "../../store/engines/is-store-fault.ts";

/**
 * A connection that is lost in the middle of a commit leaves it open whether it happened. What was written then is in the
 * tables with nobody at work on it: an accepted message, a resume job, a message to send. So after a fault of the store
 * the tables are looked through once more, as at a start.
 */
export interface Reconciler {
  /** A fault was seen. */
  reconcile(fault: unknown): void;
  /** The same for work that somebody else waits for. */
  withReconcile<T>(work: Promise<T>): Promise<T>;
  /** Waits until nothing is being looked for, once `stopping` has fired. */
  settled(): Promise<void>;
}

export function createReconciler(parts: {
  /** Takes up every unfinished row that nobody has in hand. */
  readonly pickUp: () => Promise<void>;
  readonly retryMs: number;
  readonly stopping: AbortSignal;
  readonly log: Logger;
}): Reconciler {
  const { stopping, log } = parts;
  let faults = 0;
  let looking: Promise<void> | undefined;

  /** Until it was looked once without a fault since. */
  async function look(): Promise<void> {
    for (let seen = -1; seen !== faults && !stopping.aborted;) {
      await sleep(parts.retryMs, stopping, { ref: false });
      if (stopping.aborted) return;
      seen = faults;
      try {
        await parts.pickUp();
      } catch (error) {
        faults += 1;
        log.error({ err: error }, "what a fault of the store left behind could not be looked for");
      }
    }
  }

  function reconcile(fault: unknown): void {
    if (!isStoreFault(fault)) return;
    faults += 1;
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }

  return {
    reconcile,
    async withReconcile(work) {
      try {
        return await work;
      } catch (error) {
        reconcile(error);
        throw error;
      }
    },
    settled: async () => looking,
  };
}
