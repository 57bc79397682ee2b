import type { Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

/** The active memories of one account, all places and personas. Their number needs no scope, for it tells none of them. */
export async function countMemories(db: Kysely<Database>, person: string): Promise<number> {
  const row = await db
    .selectFrom("memories")
    .select((of) => of.fn.countAll().as("count"))
    .where("person", "=", person)
    .where("state", "=", "active")
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
