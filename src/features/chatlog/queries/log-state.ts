import { sql, type Kysely } from "kysely";
import { isPostgres } from "../../../store/statements/is-postgres.ts";
import type { Database } from "../../../store/schema/database.ts";
import { rememberRows } from "../../../store/statements/remember-rows.ts";
import { tokeniserVersion } from "../../../store/search/tokenise.ts";

const selectValue = rememberRows((db, { name }: { readonly name: string }) =>
  db.selectFrom("log_state").select("value").where("name", "=", name),
);

export async function readLogState(db: Kysely<Database>, name: string): Promise<number> {
  return (await selectValue(db, { name }))[0]?.value ?? 0;
}

/** Records that a message was stored this many seconds after its time, so that searches by time look that far ahead. */
export async function noteSpilled(db: Kysely<Database>, seconds: number): Promise<void> {
  if (seconds <= 0 || seconds <= (await readLogState(db, "spilled"))) return;
  await db
    .updateTable("log_state")
    .set({ value: seconds })
    .where("name", "=", "spilled")
    .where("value", "<", seconds)
    .execute();
}

/** The index of memories keeps its version here, too. */
export async function setLogState(db: Kysely<Database>, name: string, value: number): Promise<void> {
  await db
    .insertInto("log_state")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/**
 * Empties an index whose tokens differ from ours, before the first write or search: until it is rebuilt from the newest
 * message on, messages that it has not reached are read instead.
 */
export async function followTokeniser(db: Kysely<Database>): Promise<void> {
  if ((await readLogState(db, "tokeniser")) === tokeniserVersion) return;
  await db.transaction().execute(async (tx) => {
    if (!isPostgres(tx)) await sql`insert into log_search (log_search) values ('delete-all')`.execute(tx);
    const { last } = await tx
      .selectFrom("log_messages")
      .select((row) => row.fn.max("place").as("last"))
      .executeTakeFirstOrThrow();
    await setLogState(tx, "indexed_from", last === null ? 0 : last + 1);
    await setLogState(tx, "tokeniser", tokeniserVersion);
  });
}
