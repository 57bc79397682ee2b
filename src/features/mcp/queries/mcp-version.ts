import type { Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

/** Higher after every change of pins, admissions and logins. */
export async function readMcpVersion(db: Kysely<Database>): Promise<number> {
  const row = await db.selectFrom("mcp_version").select("number").where("id", "=", 1).executeTakeFirst();
  return row?.number ?? 0;
}

/** For the beginning of a transaction that changes something: others that do this wait until it ends. */
export async function raiseMcpVersion(tx: Kysely<Database>): Promise<void> {
  await tx
    .insertInto("mcp_version")
    .values({ id: 1, number: 1 })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((row) => ({ number: row("mcp_version.number", "+", 1) })),
    )
    .execute();
}
