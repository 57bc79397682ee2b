import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** No model answers a chat: its turn at work waits, and what was said after it waits behind. */
export interface Outage {
  readonly session: string;
  /** When the first request failed. */
  readonly since: number;
  /** Messages up to this row of the inbox were named in a notice as given up. */
  readonly named: number;
}

export async function findOutage(db: Kysely<Database>, session: string): Promise<Outage | undefined> {
  return db.selectFrom("outages").selectAll().where("session", "=", session).executeTakeFirst();
}

export async function saveOutage(db: Kysely<Database>, outage: Outage): Promise<void> {
  const { since, named } = outage;
  await db
    .insertInto("outages")
    .values(outage)
    .onConflict((conflict) => conflict.column("session").doUpdateSet({ since, named }))
    .execute();
}

export async function deleteOutage(db: Kysely<Database>, session: string): Promise<void> {
  await db.deleteFrom("outages").where("session", "=", session).execute();
}

/** The chats with an outage, without those where nothing waits any more. */
export async function listOutages(db: Kysely<Database>): Promise<Outage[]> {
  await db
    .deleteFrom("outages")
    .where("session", "not in", (select) =>
      select.selectFrom("inbox").select("session").where("state", "in", ["received", "queued", "running", "kept"]),
    )
    .execute();
  return db.selectFrom("outages").selectAll().execute();
}

/** How many turns wait for a model, and since when the first of their chats does; undefined = none. */
export async function countWaitingTurns(
  db: Kysely<Database>,
): Promise<{ readonly count: number; readonly since: number } | undefined> {
  const row = await db
    .selectFrom("turns")
    .innerJoin("outages", "outages.session", "turns.session")
    .select((expression) => [expression.fn.countAll<number>().as("count"), expression.fn.min("since").as("since")])
    .where("turns.state", "=", "parked")
    .where("turns.waiting", "like", "model:%")
    .executeTakeFirst();
  const count = row?.count ?? 0;
  return count === 0 ? undefined : { count, since: row?.since ?? 0 };
}
