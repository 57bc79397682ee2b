import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** The ids that the tags of names are made of (core/name-with-tag.ts): of everybody who wrote where she reads. */
export async function listTaggedIds(db: Kysely<Database>): Promise<ReadonlySet<string>> {
  const senders = await db.selectFrom("log_senders").select(["id", "person"]).execute();
  const humans = await db.selectFrom("account_links").select("human").where("ended_at", "is", null).execute();
  const people = await db.selectFrom("people").select("id").execute();
  const overheard = await db.selectFrom("overheard").select("person").distinct().execute();
  return new Set([
    ...senders.map(({ id, person }) => (person === "" ? `log:${id}` : person)),
    ...humans.map(({ human }) => human),
    ...people.map(({ id }) => id),
    ...overheard.flatMap(({ person }) => (person === null ? [] : [person])),
  ]);
}
