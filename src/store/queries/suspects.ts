import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** A row of the inbox or the outbox that was in flight when a process died, and is not finished since. */
export interface Suspect {
  /** `inbox:ID` or `outbox:ID`. */
  readonly row: string;
  /** Deaths while it was in flight. */
  readonly deaths: number;
  /** How many of them had nothing else in flight. */
  readonly alone: number;
  /** The last process that died so. */
  readonly run: string;
}

export async function listSuspects(db: Kysely<Database>): Promise<readonly Suspect[]> {
  return db.selectFrom("suspects").selectAll().orderBy("row").execute();
}

export async function saveSuspects(db: Kysely<Database>, suspects: readonly Suspect[]): Promise<void> {
  for (const suspect of suspects) {
    const { deaths, alone, run } = suspect;
    await db
      .insertInto("suspects")
      .values(suspect)
      .onConflict((conflict) => conflict.column("row").doUpdateSet({ deaths, alone, run }))
      .execute();
  }
}

export async function deleteSuspect(db: Kysely<Database>, row: string): Promise<void> {
  await db.deleteFrom("suspects").where("row", "=", row).execute();
}
