import type { Clock } from "../../core/clock.ts";
import { saveDecisions, type CallDecision } from "../../store/queries/decisions.ts";
import { assertLease, type TurnLease } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";

/** Records the gate's verdicts on the calls of one round, in one transaction under the turn's lease. */
export type RecordDecisions = (lease: TurnLease, decisions: readonly CallDecision[]) => Promise<void>;

export function createRecordDecisions(parts: {
  readonly store: Pick<Store, "usage">;
  readonly clock: Clock;
}): RecordDecisions {
  return (lease, decisions) =>
    parts.store.usage.inTransaction(async (tx) => {
      await assertLease(tx, lease);
      await saveDecisions(tx, lease.turn, decisions, parts.clock.now());
    });
}
