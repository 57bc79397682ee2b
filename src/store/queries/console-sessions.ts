import type { Kysely, Selectable } from "kysely";
import type { Database } from "../schema/database.ts";
import { loginLimits } from "../tables/console-tables.ts";

/** A browser that is signed in to the web console. */
export interface ConsoleLogin {
  readonly id: string;
  readonly person: string;
  readonly role: "owner" | "member";
  readonly browser: string;
  readonly createdAt: number;
  readonly seenAt: number;
}

export async function insertLogin(db: Kysely<Database>, login: ConsoleLogin & { readonly token: string }) {
  const { createdAt, seenAt, ...row } = login;
  await db
    .insertInto("console_sessions")
    .values({ ...row, created_at: createdAt, seen_at: seenAt })
    .execute();
}

/** Undefined as well when it is too old, or was not used for too long. */
export async function findLogin(db: Kysely<Database>, token: string, now: number): Promise<ConsoleLogin | undefined> {
  const row = await selectLive(db, now).where("token", "=", token).executeTakeFirst();
  return row && toLogin(row);
}

/** Undefined when it is not open any more. Unlike a request this is no use of it. */
export async function findLoginById(db: Kysely<Database>, id: string, now: number): Promise<ConsoleLogin | undefined> {
  const row = await selectLive(db, now).where("id", "=", id).executeTakeFirst();
  return row && toLogin(row);
}

/** The one that was used last comes first. */
export async function listLogins(db: Kysely<Database>, now: number): Promise<ConsoleLogin[]> {
  return (await selectLive(db, now).orderBy("seen_at", "desc").orderBy("id").execute()).map(toLogin);
}

export async function noteLoginUse(db: Kysely<Database>, id: string, now: number): Promise<void> {
  await db.updateTable("console_sessions").set({ seen_at: now }).where("id", "=", id).execute();
}

/** False when there is none. */
export async function deleteLogin(db: Kysely<Database>, id: string): Promise<boolean> {
  return (
    (await db.deleteFrom("console_sessions").where("id", "=", id).returning("id").executeTakeFirst()) !== undefined
  );
}

function selectLive(db: Kysely<Database>, now: number) {
  return db
    .selectFrom("console_sessions")
    .selectAll()
    .where("created_at", ">", now - loginLimits.ageMs)
    .where("seen_at", ">", now - loginLimits.idleMs);
}

function toLogin({ id, person, role, browser, created_at, seen_at }: Selectable<Database["console_sessions"]>) {
  return { id, person, role: role as ConsoleLogin["role"], browser, createdAt: created_at, seenAt: seen_at };
}
