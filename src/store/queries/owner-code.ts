import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** Stores a code unless there is one from after `renewedBefore`, which all processes go on showing. */
export async function insertOwnerCode(
  db: Kysely<Database>,
  code: string,
  { now, renewedBefore }: { readonly now: number; readonly renewedBefore: number },
): Promise<void> {
  await db
    .insertInto("owner_code")
    .values({ id: 1, code, created_at: now })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ code, created_at: now }).where("owner_code.created_at", "<=", renewedBefore),
    )
    .execute();
}

/** Returns undefined when there is an owner, however they became one. */
export async function findOwnerCode(db: Kysely<Database>): Promise<string | undefined> {
  const row = await db
    .selectFrom("owner_code")
    .select("code")
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom("people").select("people.id").where("people.role", "=", "owner"))),
    )
    .executeTakeFirst();
  return row?.code;
}

/** Takes the code once. Returns false if another transaction was faster. */
export async function takeOwnerCode(db: Kysely<Database>, code: string): Promise<boolean> {
  const row = await db.deleteFrom("owner_code").where("code", "=", code).returning("id").executeTakeFirst();
  return row !== undefined;
}
