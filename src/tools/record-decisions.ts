import type { Clock } from "../core/clock.ts";
import { saveDecisions, type Decision } from "../store/queries/decisions.ts";
import { requireHold, type TurnHold } from "../store/queries/turns.ts";
import type { Store } from "../store/open-store.ts";

/** Writes what the gate made of the calls of one round, in one transaction, under the turn's hold. */
export type RecordDecisions = (hold: TurnHold, decisions: readonly Decision[]) => Promise<void>;

export function createRecordDecisions(parts: {
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
}): RecordDecisions {
  return (hold, decisions) =>
    parts.store.main.transaction().execute(async (tx) => {
      await requireHold(tx, hold);
      await saveDecisions(tx, hold.turn, decisions, parts.clock.now());
    });
}
