import type { Clock } from "../../core/clock.ts";
import { findPause } from "../../store/queries/pause.ts";
import { countPendingOutbox, measureWaiting } from "../../store/queries/waiting-work.ts";
import type { Store } from "../../store/open-store.ts";
import type { WorkMeasures } from "../http/mount-work-metrics.ts";
import type { ClaimCounts } from "./leases.ts";
import type { NodeWatch } from "./watch-nodes.ts";

/** Measures the work that waits in the database, and the part of it that this process holds. */
export function createMeasureWork(parts: {
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
  /** Absent where this process works alone. */
  readonly beside?: {
    readonly nodes: Pick<NodeWatch, "list">;
    readonly counts: () => ClaimCounts;
    readonly listSessions: () => readonly string[];
  };
}): WorkMeasures {
  const { store, clock, beside } = parts;
  return {
    async waiting() {
      const now = clock.now();
      const [{ conversations, since }, outbox, pause] = await Promise.all([
        measureWaiting(store.main, now),
        countPendingOutbox(store.main),
        findPause(store.main),
      ]);
      return { isPaused: pause !== undefined, outbox, conversations, oldestMs: since === undefined ? 0 : now - since };
    },
    cluster: () =>
      beside && { ...beside.counts(), nodes: beside.nodes.list().length, sessions: beside.listSessions().length },
  };
}
