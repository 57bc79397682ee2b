import { setTimeout as pause } from "node:timers/promises";
import type { NotedClaim } from "./claim-worker.ts";
import type { ClaimWorkers } from "./claim-workers.ts";

/** How often a worker is killed or frozen, in turn, each time another one. */
export interface TroublePlan {
  /** A trouble comes after so many messages. */
  readonly everyMessages: number;
  readonly freezeMs: number;
}

export interface Troubles {
  /** Begins a trouble when it is due, and waits while one that is due must wait for another to end. */
  mayGoOn(said: number): Promise<void>;
  /** Waits for the end of the last one. */
  end(): Promise<void>;
  readonly counts: { kills: number; freezes: number; heldBackMs: number };
  /** Milliseconds from the kill or the freeze to each of these claims. */
  listTakeovers(claims: readonly NotedClaim[]): readonly number[];
}

/** What a silent worker had is taken over within this time. */
const settleMs = 15_000;
/** A worker that wakes up tries its late writes. */
const wakeMs = 3_000;

export function createTroubles(
  workers: Pick<ClaimWorkers, "kill" | "signal">,
  workerCount: number,
  plan: TroublePlan,
  note: (text: string) => void,
): Troubles {
  const begun: number[] = [];
  const counts = { kills: 0, freezes: 0, heldBackMs: 0 };
  let next = plan.everyMessages;
  let newest = 0;
  let running: Promise<void> | undefined;
  let heldSince: number | undefined;

  async function cause(number: number): Promise<void> {
    const index = number % workerCount;
    begun.push(Date.now());
    if (number % 2 === 0) {
      note(`worker ${index} is killed`);
      counts.kills += 1;
      await Promise.all([workers.kill(index), pause(settleMs)]);
    } else {
      note(`worker ${index} is frozen for ${plan.freezeMs / 1_000} s`);
      counts.freezes += 1;
      workers.signal(index, "SIGSTOP");
      await pause(plan.freezeMs);
      workers.signal(index, "SIGCONT");
      await pause(wakeMs);
    }
  }

  async function mayGoOn(said: number): Promise<void> {
    newest = Math.max(newest, said);
    if (said < next) return;
    if (running) {
      heldSince ??= performance.now();
      await running;
      // Several gateways wait for the same end.
      if (heldSince === undefined) return;
      counts.heldBackMs += performance.now() - heldSince;
      heldSince = undefined;
      // Everything is answered by now, and a worker without turns loses nothing.
      next = newest + Math.ceil(plan.everyMessages / 4);
      return;
    }
    next += plan.everyMessages;
    running = cause(begun.length).finally(() => {
      running = undefined;
    });
    // It is awaited at the end; a failure on the way must not end the process before that.
    running.catch(() => undefined);
  }

  return {
    mayGoOn,
    async end() {
      await running;
    },
    counts,
    listTakeovers: (claims) =>
      claims.flatMap(({ afterSilence, at }) => {
        const cause = begun.findLast((time) => time <= at);
        return afterSilence && cause !== undefined ? [at - cause] : [];
      }),
  };
}
