import { sql, type Kysely } from "kysely";

/**
 * A message's place among those of its chat is taken when it is queued, not when its turn begins: a file that is sent
 * meanwhile goes before the reply.
 */
export async function addPlace(schema: Kysely<unknown>["schema"]): Promise<void> {
  await schema
    .alterTable("outbox")
    .addColumn("place", "bigint", (column) => column.notNull().defaultTo(sql`0`))
    .execute();
}
