import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

const keyBytes = 32;

/**
 * The secret that the processes of one database show each other; the first process that asks makes it. Whoever can read
 * the database can do everything anyway.
 */
export async function ensureClusterKey(db: Kysely<Database>): Promise<string> {
  const key = randomBytes(keyBytes).toString("hex");
  await db
    .insertInto("cluster_key")
    .values({ id: 1, key })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  return (await db.selectFrom("cluster_key").select("key").where("id", "=", 1).executeTakeFirstOrThrow()).key;
}
