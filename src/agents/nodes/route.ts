import type { OfferedTools } from "../offered-tools.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** Chooses the tools this person is offered, but for those that skills bring. */
export function createRoute({ offeredTools }: { readonly offeredTools: OfferedTools }) {
  return ({ input }: TurnStateValue): TurnStateUpdate => ({ offered: offeredTools.list(input) });
}
