import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { toMemory, type Memory } from "./memories.ts";

/** Queries for the owner, who may read every memory; all other readers have a scope. */

export interface RememberedPerson {
  readonly person: string;
  /** As they last called themselves; "" = nothing tells. */
  readonly name: string;
  /** Active ones. */
  readonly memories: number;
  /** When they last wrote, or last said something to remember. */
  readonly lastAt: number;
}

interface PersonRow extends Omit<RememberedPerson, "memories" | "lastAt"> {
  readonly memories: number | string;
  readonly lastAt: number | string;
}

/** The accounts that wrote to her or that she remembers something of, those heard last first; or one of them. */
export async function listRememberedPeople(
  db: Kysely<Database>,
  { max, person }: { readonly max: number; readonly person?: string | undefined },
): Promise<readonly RememberedPerson[]> {
  const isAsked = person === undefined ? sql`` : sql`where person = ${person}`;
  const { rows } = await sql<PersonRow>`
    with kept as (
      select person, sum(case when state = 'active' then 1 else 0 end) as memories, max(created_at) as last_at, max(name) as name
      from memories ${isAsked} group by person
    ), heard as (
      select person, max(last_at) as last_at, max(name) as name from acquaintances ${isAsked} group by person
    )
    select everybody.person as person, coalesce(heard.name, kept.name, '') as name,
      coalesce(kept.memories, 0) as memories, coalesce(heard.last_at, kept.last_at) as "lastAt"
    from (select person from kept union select person from heard) as everybody
    left join kept on kept.person = everybody.person
    left join heard on heard.person = everybody.person
    where heard.person is not null or kept.memories > 0
    order by "lastAt" desc, everybody.person limit ${sql.lit(max)}`.execute(db);
  return rows.map((row) => ({ ...row, memories: Number(row.memories), lastAt: Number(row.lastAt) }));
}

/** Newest first: what nothing has taken the place of, forgotten ones too. */
export async function listMemoriesOf(
  db: Kysely<Database>,
  person: string,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly Memory[]> {
  let query = db.selectFrom("memories").selectAll().where("person", "=", person).where("superseded_by", "is", null);
  if (before !== undefined) query = query.where("id", "<", before);
  const rows = await query.orderBy("id", "desc").limit(limit).execute();
  return rows.map(toMemory);
}

/** The personas that a person has told something to. */
export async function listPersonasOf(db: Kysely<Database>, person: string): Promise<readonly string[]> {
  const rows = await db.selectFrom("memories").select("persona").distinct().where("person", "=", person).execute();
  return rows.map(({ persona }) => persona);
}

/** The one with this id; a forgotten one has no words. */
export async function findMemoryById(db: Kysely<Database>, id: number): Promise<Memory | undefined> {
  const row = await db.selectFrom("memories").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toMemory(row);
}

/** Those that each of these took the place of, the newest first. */
export async function listReplaced(db: Kysely<Database>, ids: readonly number[]): Promise<readonly Memory[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("memories")
    .selectAll()
    .where("superseded_by", "in", ids)
    .where("state", "=", "superseded")
    .orderBy("valid_from", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(toMemory);
}
