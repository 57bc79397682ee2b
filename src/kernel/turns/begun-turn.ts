import type { TurnInput } from "../agent/types.ts";
import type { TurnLease } from "../../store/queries/turns.ts";

/** A turn whose row is written. */
export interface BegunTurn {
  readonly input: TurnInput;
  readonly lease: TurnLease;
}
