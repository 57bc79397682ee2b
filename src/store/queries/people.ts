import { sql, type Kysely, type Selectable } from "kysely";
import type { Database } from "../schema/database.ts";

export type PairingRow = Selectable<Database["pairings"]>;

export type StoredRole = "owner" | "trusted" | "member";

/** The stored role of a person, undefined for strangers. */
export async function findRole(db: Kysely<Database>, person: string): Promise<StoredRole | undefined> {
  const row = await db.selectFrom("people").select("role").where("id", "=", person).executeTakeFirst();
  return row?.role as StoredRole | undefined;
}

export interface KnownPerson {
  readonly id: string;
  readonly name: string;
  readonly role: StoredRole | "guest";
}

/** The people of a platform who were let in and have this id, with or without the platform, or exactly this name. */
export async function findPeople(db: Kysely<Database>, platform: string, text: string): Promise<KnownPerson[]> {
  const rows = await db
    .selectFrom("people")
    .select(["id", "name", "role"])
    .where((where) =>
      where.or([where("id", "=", text), where("id", "=", `${platform}:${text}`), where("name", "=", text)]),
    )
    .orderBy("id")
    .execute();
  // Groups that were opened are kept in the same table as the people.
  return rows
    .filter(({ id }) => id.startsWith(`${platform}:`) && !id.startsWith(`${platform}:group:`))
    .map((row) => ({ ...row, role: row.role as StoredRole }));
}

export async function countOwners(db: Kysely<Database>): Promise<number> {
  const row = await db
    .selectFrom("people")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .where("role", "=", "owner")
    .executeTakeFirst();
  return row?.count ?? 0;
}

export async function savePerson(
  db: Kysely<Database>,
  person: { readonly id: string; readonly name: string; readonly role: StoredRole; readonly now: number },
): Promise<void> {
  await db
    .insertInto("people")
    .values({ id: person.id, name: person.name, role: person.role, created_at: person.now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ name: person.name, role: person.role }))
    .execute();
  await db.deleteFrom("pairings").where("person", "=", person.id).execute();
}

/** The names of those who have a role, by their ids. */
export async function findNames(db: Kysely<Database>, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("people").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Only for a person who already has a role. */
export async function setRole(db: Kysely<Database>, id: string, role: StoredRole): Promise<void> {
  await db.updateTable("people").set({ role }).where("id", "=", id).execute();
}

export async function deletePerson(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom("people").where("id", "=", id).execute();
}

export type StoredPerson = Selectable<Database["people"]>;

/** The people who have a stored role, and the groups that were opened, which are kept in the same table. */
export async function listStoredPeople(db: Kysely<Database>): Promise<readonly StoredPerson[]> {
  return db.selectFrom("people").selectAll().orderBy("created_at").orderBy("id").execute();
}

/** A stranger's pairing that is still good. */
export async function findPairing(db: Kysely<Database>, person: string, now: number): Promise<PairingRow | undefined> {
  return db
    .selectFrom("pairings")
    .selectAll()
    .where("person", "=", person)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

export async function findPairingByCode(
  db: Kysely<Database>,
  code: string,
  now: number,
): Promise<PairingRow | undefined> {
  return db
    .selectFrom("pairings")
    .selectAll()
    .where("code", "=", code)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/** The strangers who wait to be let in, in the order in which they came. */
export async function listPairings(db: Kysely<Database>, now: number): Promise<readonly PairingRow[]> {
  return db
    .selectFrom("pairings")
    .selectAll()
    .where("expires_at", ">", now)
    .where("code", "not like", isAway)
    .orderBy("created_at")
    .execute();
}

/** Stands in place of the code, so that the stranger gets no other one before it expires. */
const away = "away ";
const isAway = `${away}%`;

/** A person who was let out again gets no code before `until`. */
export async function keepAway(
  db: Kysely<Database>,
  person: string,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<void> {
  const row = { person, name: "", code: `${away}${person}`, session: "", created_at: now, expires_at: until };
  await db
    .insertInto("pairings")
    .values(row)
    .onConflict((conflict) => conflict.column("person").doUpdateSet(row))
    .execute();
}

/** Returns the name; undefined when no stranger waits with this code. */
export async function turnAway(db: Kysely<Database>, code: string, now: number): Promise<string | undefined> {
  const row = await db
    .updateTable("pairings")
    .set((row) => ({ code: sql<string>`${sql.lit(away)} || ${row.ref("person")}` }))
    .where("code", "=", code)
    .where("code", "not like", isAway)
    .where("expires_at", ">", now)
    .returning("name")
    .executeTakeFirst();
  return row?.name;
}

/** Keeps a stranger's code, unless `limit` others wait already. False when too many wait. */
export async function savePairing(db: Kysely<Database>, pairing: PairingRow, limit: number): Promise<boolean> {
  await db.deleteFrom("pairings").where("expires_at", "<=", pairing.created_at).execute();
  const waiting = await db
    .selectFrom("pairings")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .where("code", "not like", isAway)
    .executeTakeFirst();
  if ((waiting?.count ?? 0) >= limit) return false;
  await db
    .insertInto("pairings")
    .values(pairing)
    .onConflict((conflict) => conflict.column("person").doUpdateSet(pairing))
    .execute();
  return true;
}

/** Ids of the owners that the store knows. */
export async function listOwners(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom("people").select("id").where("role", "=", "owner").orderBy("id").execute();
  return rows.map(({ id }) => id);
}
