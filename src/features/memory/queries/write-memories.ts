import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { isPostgres } from "../../../store/statements/is-postgres.ts";
import type { Memory } from "./memories.ts";
import { insertTerms } from "./memory-terms.ts";

/**
 * If two transactions remember for one account, the second waits, then sees what the first has kept. On SQLite there is
 * one writer anyway.
 */
export async function holdMemories(tx: Kysely<Database>, person: string): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtextextended(${`memories ${person}`}, 0))`.execute(tx);
}

/** With the words that it is found by. In the caller's transaction. */
export async function insertMemory(
  db: Kysely<Database>,
  memory: Omit<Memory, "id" | "invalidAt" | "supersededBy" | "lastAccessAt" | "accessCount" | "state" | "createdAt"> & {
    readonly words: readonly string[];
    readonly now: number;
  },
): Promise<number> {
  const { now, person, persona, place, words } = memory;
  const { id } = await db
    .insertInto("memories")
    .values({
      person,
      name: memory.name,
      place,
      persona,
      category: memory.category,
      slot: memory.slot,
      value: memory.value,
      content: memory.content,
      importance: memory.importance,
      confidence: memory.confidence,
      pinned: memory.pinned ? 1 : 0,
      taint: memory.taint,
      sources: JSON.stringify(memory.sources),
      origin: memory.origin,
      source_log: memory.sourceLog,
      valid_from: memory.validFrom,
      invalid_at: null,
      superseded_by: null,
      last_access_at: now,
      access_count: 0,
      state: "active",
      created_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await insertTerms(db, { id, person, place, persona }, words);
  return id;
}

/** It is kept, but no longer true from then on. */
export async function supersedeMemory(
  db: Kysely<Database>,
  id: number,
  by: { readonly id: number; readonly at: number },
): Promise<void> {
  await db
    .updateTable("memories")
    .set({ state: "superseded", invalid_at: by.at, superseded_by: by.id })
    .where("id", "=", id)
    .where("state", "=", "active")
    .execute();
}

/** It was said again, or asked for. */
export async function touchMemories(db: Kysely<Database>, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("memories")
    .set((of) => ({ last_access_at: now, access_count: of("access_count", "+", 1) }))
    .where("id", "in", ids)
    .execute();
}

/** Improves what a repetition, or a pin, may improve; the words stay. */
export async function confirmMemory(
  db: Kysely<Database>,
  id: number,
  { pinned, ...better }: Pick<Memory, "pinned"> & Partial<Pick<Memory, "importance" | "confidence">>,
): Promise<void> {
  await db
    .updateTable("memories")
    .set({ ...better, pinned: pinned ? 1 : 0 })
    .where("id", "=", id)
    .execute();
}

/** Gives it words that hold the old ones. Its vector goes with those (a trigger); the vector writer makes another. */
export async function rewordMemory(
  db: Kysely<Database>,
  { id, person, persona, place }: Pick<Memory, "id" | "person" | "persona" | "place">,
  { content, origin, words }: Pick<Memory, "content" | "origin"> & { readonly words: readonly string[] },
): Promise<void> {
  await db.updateTable("memories").set({ content, origin }).where("id", "=", id).execute();
  await db.deleteFrom("memory_terms").where("memory", "=", id).execute();
  await insertTerms(db, { id, person, place, persona }, words);
}

/** Its words go from the row and from the index; that there was something, and when it went, stays. */
export async function eraseMemories(db: Kysely<Database>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("memory_terms").where("memory", "in", ids).execute();
  await db
    .updateTable("memories")
    .set({ state: "forgotten", content: "", slot: null, value: null, sources: "[]", source_log: null, name: "" })
    .where("id", "in", ids)
    .execute();
}
