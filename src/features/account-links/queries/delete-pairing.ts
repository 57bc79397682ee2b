import type { Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

export async function deletePairing(db: Kysely<Database>, person: string): Promise<void> {
  await db.deleteFrom("pairings").where("person", "=", person).execute();
}
