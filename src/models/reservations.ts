import { raceAbort } from "../core/abort.ts";
import type { LimitState } from "./list-limits.ts";
import type { Payer } from "./types.ts";

/** The expected usage of a request that is on its way. */
export interface Reservation {
  readonly payer: Payer;
  /** The model that will most likely answer. */
  readonly model: string;
  readonly tokens: number;
  readonly cost: number;
  readonly ended: Promise<void>;
  /** Its usage is counted. */
  end(): void;
}

/**
 * Requests on their way to models. Each sees what those before it may use up, so that of simultaneous requests at most
 * one exceeds a limit.
 */
export interface Reservations {
  add(of: Pick<Reservation, "payer" | "model" | "tokens" | "cost">): Reservation;
  /** The reservations before it that have not ended. */
  listBefore(one: Reservation): readonly Reservation[];
}

export function createReservations(): Reservations {
  const open = new Set<Reservation>();
  return {
    add(of) {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const one: Reservation = {
        ...of,
        ended,
        end() {
          open.delete(one);
          resolve();
        },
      };
      open.add(one);
      return one;
    },
    listBefore(one) {
      const all = [...open];
      return all.slice(0, all.indexOf(one));
    },
  };
}

/** The reservations that count for a limit. */
export function listCounted(
  state: LimitState,
  {
    own,
    before,
    accounts,
  }: {
    readonly own: Reservation;
    readonly before: readonly Reservation[];
    /** The accounts of the person who pays for it. */
    readonly accounts: readonly string[];
  },
): readonly Reservation[] {
  switch (state.scope) {
    case "person":
      return before.filter(({ payer }) => accounts.includes(payer.id));
    case "chat":
      return before.filter(({ payer }) => payer.chat === own.payer.chat);
    case "model":
      return own.model === state.model ? before.filter(({ model }) => model === state.model) : [];
    case "all":
      return before;
  }
}

/** Waits until one of them has ended. */
export async function waitForOne(some: readonly Reservation[], signal: AbortSignal): Promise<void> {
  await raceAbort(Promise.race(some.map(({ ended }) => ended)), signal);
}
