import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** No model answers a chat: its running turn waits, and later messages wait behind it. */
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

/**
 * How many messages wait for a model, since when, and whether the chat that asks is among theirs; undefined when none
 * wait.
 */
export async function describeWaits(
  db: Kysely<Database>,
  asked?: { readonly session: string; readonly item: string },
): Promise<{ readonly count: number; readonly since: number; readonly isHere: boolean } | undefined> {
  const chats = await db
    .selectFrom("turns")
    .innerJoin("outages", "outages.session", "turns.session")
    .select(["outages.session", "outages.since"])
    .distinct()
    .where("turns.state", "=", "parked")
    .where("turns.waiting", "like", "model:%")
    .execute();
  if (chats.length === 0) return undefined;
  const sessions = chats.map((chat) => chat.session);
  const { count } = await db
    .selectFrom("inbox")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .where("session", "in", sessions)
    .where("kind", "in", ["message", "again", "reminder", "task"])
    .where("state", "in", ["received", "queued", "running"])
    .where("id", "!=", asked?.item ?? "")
    .executeTakeFirstOrThrow();
  return {
    count,
    since: Math.min(...chats.map(({ since }) => since)),
    isHere: asked !== undefined && sessions.includes(asked.session),
  };
}
