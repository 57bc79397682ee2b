import type { Kysely } from "kysely";
import type { UsageRow, UsageSum } from "../core/usage.ts";
import { addUsage, sumDay, sumUsage } from "./queries/usage.ts";
import type { Database } from "./schema/database.ts";

/** Milliseconds that a count waits for a transaction to go along with. */
const longestWaitMs = 1_000;

/**
 * The usage of models. It counts at once, for everybody, and is written with the next transaction of a turn: the one
 * that records a round's verdicts, or the turn's end. Alone it would be one more wait for the disk in every turn.
 */
export interface UsageBook {
  add(row: UsageRow): void;
  /** A day's sums of everybody and of one person, with what is not written yet. Never less than was counted. */
  sumDay(day: string, person: string): Promise<{ readonly all: UsageSum; readonly mine: UsageSum }>;
  /** A transaction of the main tables that also writes what was counted. */
  inTransaction<Result>(work: (tx: Kysely<Database>) => Promise<Result>): Promise<Result>;
  /** Writes what was counted now. */
  flush(): Promise<void>;
}

export function createUsageBook(main: Kysely<Database>): UsageBook {
  /** By day, person and model. */
  let waiting = new Map<string, UsageRow>();
  const leaving = new Set<readonly UsageRow[]>();
  let timer: NodeJS.Timeout | undefined;

  function add(row: UsageRow): void {
    const key = JSON.stringify([row.day, row.person, row.model]);
    const before = waiting.get(key);
    const cached = row.cached + (before?.cached ?? 0);
    waiting.set(key, { ...row, ...sumUsage(before ? [before, row] : [row]), cached });
    timer ??= setTimeout(() => {
      timer = undefined;
      // A fault of the store: it was given back and is written later.
      flush().catch(() => undefined);
    }, longestWaitMs).unref();
  }

  async function flush(): Promise<void> {
    if (waiting.size > 0) await inTransaction(() => Promise.resolve());
  }

  async function inTransaction<Result>(work: (tx: Kysely<Database>) => Promise<Result>): Promise<Result> {
    // In one order: two transactions that count for the same people never wait for each other in a circle.
    const rows = [...waiting].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    waiting = new Map();
    leaving.add(rows);
    try {
      return await main.transaction().execute(async (tx) => {
        const result = await work(tx);
        for (const row of rows) await addUsage(tx, row);
        return result;
      });
    } catch (error) {
      for (const row of rows) add(row);
      throw error;
    } finally {
      leaving.delete(rows);
    }
  }

  return {
    add,
    inTransaction,
    flush,
    async sumDay(day, person) {
      // Taken before the table is read: a row that is written in between counts twice for a moment, never not at all.
      const here = [...waiting.values(), ...[...leaving].flat()].filter((row) => row.day === day);
      const stored = await sumDay(main, day, person);
      const mine = here.filter((row) => row.person === person);
      return { all: sumUsage([stored.all, ...here]), mine: sumUsage([stored.mine, ...mine]) };
    },
  };
}
