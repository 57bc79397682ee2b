import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

export type LinkCode = Selectable<Database["link_codes"]>;

/** Keeps the code of an account in the place of an older one, unless `limit` others wait already. false = too many wait. */
export async function saveLinkCode(
  db: Kysely<Database>,
  code: Pick<LinkCode, "account" | "name" | "session" | "hash" | "expires_at">,
  now: number,
  limit: number,
): Promise<boolean> {
  await db.deleteFrom("link_codes").where("expires_at", "<=", now).execute();
  await db.deleteFrom("link_codes").where("account", "=", code.account).execute();
  const waiting = await db.selectFrom("link_codes").select("account").execute();
  if (waiting.length >= limit) return false;
  const row = { ...code, other: null, other_name: null, other_session: null, other_acts: null };
  await db.insertInto("link_codes").values(row).execute();
  return true;
}

export function listLinkCodes(db: Kysely<Database>, now: number): Promise<readonly LinkCode[]> {
  return db.selectFrom("link_codes").selectAll().where("expires_at", ">", now).orderBy("account").execute();
}

/** The first code was sent; from now on the second one is awaited. Returns false if another answer was faster. */
export async function answerLinkCode(
  db: Kysely<Database>,
  before: LinkCode,
  next: Pick<LinkCode, "hash" | "other" | "other_name" | "other_session" | "other_acts" | "expires_at">,
): Promise<boolean> {
  const row = await db
    .updateTable("link_codes")
    .set(next)
    .where("account", "=", before.account)
    .where("hash", "=", before.hash)
    .returning("account")
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes a code once. Returns false if another caller was faster. */
export async function takeLinkCode(db: Kysely<Database>, { account, hash }: LinkCode): Promise<boolean> {
  const row = await db
    .deleteFrom("link_codes")
    .where("account", "=", account)
    .where("hash", "=", hash)
    .returning("account")
    .executeTakeFirst();
  return row !== undefined;
}
