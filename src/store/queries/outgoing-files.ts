import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** Names the content of a message's file; the blob is there already. */
export async function saveOutgoingFile(
  db: Kysely<Database>,
  file: { readonly id: string; readonly sha256: string; readonly at: number },
): Promise<void> {
  const { at, sha256 } = file;
  await db
    .insertInto("outgoing_files")
    .values(file)
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ sha256, at }))
    .execute();
}

/** The digest of its content; undefined when it is not kept. */
export async function findOutgoingFile(db: Kysely<Database>, id: string): Promise<string | undefined> {
  const row = await db.selectFrom("outgoing_files").select("sha256").where("id", "=", id).executeTakeFirst();
  return row?.sha256;
}

export async function dropOutgoingFile(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom("outgoing_files").where("id", "=", id).execute();
}

/** The files that were kept before then. */
export async function listOutgoingFiles(db: Kysely<Database>, before: number): Promise<readonly string[]> {
  const rows = await db.selectFrom("outgoing_files").select("id").where("at", "<", before).execute();
  return rows.map(({ id }) => id);
}
