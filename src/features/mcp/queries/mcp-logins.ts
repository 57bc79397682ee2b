import type { Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { isPostgres } from "../../../store/statements/is-postgres.ts";

/** By server; each record is JSON. */
export async function listMcpLogins(db: Kysely<Database>): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom("mcp_logins").selectAll().orderBy("server").execute();
  return new Map(rows.map(({ server, record }) => [server, record]));
}

export async function findMcpLogin(db: Kysely<Database>, server: string): Promise<string | undefined> {
  const row = await db.selectFrom("mcp_logins").select("record").where("server", "=", server).executeTakeFirst();
  return row?.record;
}

/** The same; until the transaction ends, others that do this wait. */
export async function holdMcpLogin(tx: Kysely<Database>, server: string): Promise<string | undefined> {
  const query = tx.selectFrom("mcp_logins").select("record").where("server", "=", server);
  return (await (isPostgres(tx) ? query.forUpdate() : query).executeTakeFirst())?.record;
}

export async function saveMcpLogin(db: Kysely<Database>, server: string, record: string): Promise<void> {
  await db
    .insertInto("mcp_logins")
    .values({ server, record })
    .onConflict((conflict) => conflict.column("server").doUpdateSet({ record }))
    .execute();
}

/** Does nothing if there is a record. */
export async function addMcpLogin(db: Kysely<Database>, server: string, record: string): Promise<void> {
  await db
    .insertInto("mcp_logins")
    .values({ server, record })
    .onConflict((conflict) => conflict.column("server").doNothing())
    .execute();
}

export async function deleteMcpLogin(db: Kysely<Database>, server: string): Promise<void> {
  await db.deleteFrom("mcp_logins").where("server", "=", server).execute();
}
