import type { Kysely } from "kysely";
import { findPause, type Pause } from "../../store/queries/pause.ts";
import type { Database } from "../../store/schema/database.ts";

/**
 * Whether everything is paused. While only this process writes the row, it need not be read again while nothing is
 * paused. A transaction that must not run during a pause reads the row itself.
 */
export interface PauseState {
  find(): Promise<Pause | undefined>;
  /** Runs work that may write the row. */
  change<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** `isShared` = other processes may write the row. */
export function createPauseState(db: Kysely<Database>, isShared: boolean): PauseState {
  let isKnownToGoOn = false;
  let changes = 0;

  function forget(): void {
    changes += 1;
    isKnownToGoOn = false;
  }

  return {
    async find() {
      if (isKnownToGoOn) return undefined;
      const before = changes;
      const pause = await findPause(db);
      isKnownToGoOn = !isShared && pause === undefined && changes === before;
      return pause;
    },
    async change(work) {
      forget();
      try {
        return await work();
      } finally {
        forget();
      }
    },
  };
}
