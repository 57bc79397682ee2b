import type { Kysely } from "kysely";
import { compileOnce } from "../statements/compile-once.ts";
import type { Database } from "../schema/database.ts";

/** Everything is paused: since when, and by whom. */
export interface Pause {
  readonly since: number;
  readonly person: string;
  readonly name: string;
}

export async function findPause(db: Kysely<Database>): Promise<Pause | undefined> {
  return (await selectPause(db, {}))[0];
}

const selectPause = compileOnce((db) => db.selectFrom("pause").select(["since", "person", "name"]));

/** The same inside a transaction that relies on it: the pause cannot be lifted before its end. */
export async function lockPause(db: Kysely<Database>): Promise<Pause | undefined> {
  return db.updateTable("pause").set({ id: 1 }).returning(["since", "person", "name"]).executeTakeFirst();
}

/** False when it was paused already. */
export async function insertPause(db: Kysely<Database>, pause: Pause): Promise<boolean> {
  const row = await db
    .insertInto("pause")
    .values({ id: 1, ...pause })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** False when it was not paused. */
export async function deletePause(db: Kysely<Database>): Promise<boolean> {
  return (await db.deleteFrom("pause").returning("id").executeTakeFirst()) !== undefined;
}

/** Keeps a row that is not finished until everything goes on. */
export async function keepInboxItem(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable("inbox")
    .set({ state: "kept" })
    .where("id", "=", id)
    .where("state", "in", ["received", "queued", "running"])
    .execute();
}

/** Kept rows are queued again. Answers how many messages of people are among them. */
export async function releaseInbox(db: Kysely<Database>): Promise<number> {
  const rows = await db
    .updateTable("inbox")
    .set((expression) => ({
      state: expression.case().when("kind", "in", ["message", "press"]).then("received").else("queued").end(),
    }))
    .where("state", "=", "kept")
    .returning("kind")
    .execute();
  return rows.filter(({ kind }) => kind === "message" || kind === "again").length;
}

/** Finishes kept messages of people unread; our own jobs go on. Answers their conversations, one per message. */
export async function dropKeptMessages(db: Kysely<Database>, now: number): Promise<readonly string[]> {
  const rows = await db
    .updateTable("inbox")
    .set({ state: "done", finished_at: now })
    .where("state", "=", "kept")
    .where("kind", "in", ["message", "again"])
    .returning("session")
    .execute();
  return rows.map(({ session }) => session);
}
