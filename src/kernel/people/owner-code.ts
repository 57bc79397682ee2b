import { timingSafeEqual } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { createPairingCode } from "../../core/ids.ts";
import { findOwnerCode, insertOwnerCode, takeOwnerCode } from "../../store/queries/owner-code.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";

/**
 * The code that makes its first sender an owner. It is shown at startup and works for one person. A database has one
 * code, whichever of its processes shows it or hears it.
 */
export interface OwnerCode {
  /** The code to show. Returns undefined when there is an owner. */
  show(): Promise<string | undefined>;
  /** Whether there is no owner yet, and a code that makes one. */
  isOpen(db: Kysely<Database>): Promise<boolean>;
  /**
   * Returns true when the sender becomes the owner. Call it in the transaction that saves the owner: of two
   * simultaneous senders only one succeeds, and after a fault the code is as it was before.
   */
  claim(given: string, db: Kysely<Database>): Promise<boolean>;
}

/** A start renews an older code; one that another process may have just shown stays. */
const renewedAfterMs = 24 * 3_600_000;

export async function createOwnerCode(parts: {
  readonly needed: boolean;
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
}): Promise<OwnerCode> {
  const { clock, needed, store } = parts;
  if (needed) {
    const now = clock.now();
    const code = createPairingCode();
    await insertOwnerCode(store.main, code, { now, renewedBefore: now - renewedAfterMs });
  }
  const find = async (db: Kysely<Database>) => (needed ? findOwnerCode(db) : undefined);
  return {
    show: () => find(store.main),
    isOpen: async (db) => (await find(db)) !== undefined,
    async claim(given, db) {
      const code = await find(db);
      if (code === undefined) return false;
      const [a, b] = [Buffer.from(given), Buffer.from(code)];
      return a.length === b.length && timingSafeEqual(a, b) && takeOwnerCode(db, code);
    },
  };
}
