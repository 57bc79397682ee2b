import { sql, type Kysely, type Selectable } from "kysely";
import type { Taint } from "../../../core/conversation.ts";
import type { FactCategory } from "../../../language/facts/plain-fact.ts";
import type { Database } from "../../../store/schema/database.ts";
import { rememberRows } from "../../../store/statements/remember-rows.ts";
import { toTerm } from "./memory-terms.ts";

export type MemoryOrigin = "said" | "tool" | "extracted" | "command";

/** Something she keeps of a person; memory/tables.ts has the meaning of the fields. Times are milliseconds since 1970. */
export interface Memory {
  readonly id: number;
  readonly person: string;
  readonly name: string;
  /** "" = said in private; else the session of the group. */
  readonly place: string;
  readonly persona: string;
  readonly category: FactCategory;
  readonly slot: string | null;
  readonly value: string | null;
  readonly content: string;
  readonly importance: number;
  readonly confidence: number;
  readonly pinned: boolean;
  readonly taint: Taint;
  readonly sources: readonly string[];
  readonly origin: MemoryOrigin;
  readonly sourceLog: number | null;
  readonly validFrom: number;
  readonly invalidAt: number | null;
  readonly supersededBy: number | null;
  readonly lastAccessAt: number;
  readonly accessCount: number;
  readonly state: "active" | "superseded" | "forgotten";
  readonly createdAt: number;
}

/**
 * The rows that a person may read. In private those of their own accounts, wherever they were said; in a group whatever
 * its members said there. Always of one persona. features/memory/scope.ts makes it.
 */
export interface ReadableRows {
  readonly accounts: readonly string[];
  /** "" = private; else the session of the group. */
  readonly place: string;
  readonly persona: string;
}

/** A word of the index with the memory that holds it. */
export interface WordHit {
  readonly word: string;
  readonly memory: number;
}

const rowsAtOnce = 400;
const listsAtOnce = 200;
/** For a word that nearly every memory holds, only the newest memories are looked at. */
const maxOfWord = 400;

type Row = Selectable<Database["memories"]>;

export function toMemory(row: Row): Memory {
  return {
    id: row.id,
    person: row.person,
    name: row.name,
    place: row.place,
    persona: row.persona,
    category: row.category as FactCategory,
    slot: row.slot,
    value: row.value,
    content: row.content,
    importance: row.importance,
    confidence: row.confidence,
    pinned: row.pinned === 1,
    taint: row.taint as Taint,
    sources: JSON.parse(row.sources) as string[],
    origin: row.origin as MemoryOrigin,
    sourceLog: row.source_log,
    validFrom: row.valid_from,
    invalidAt: row.invalid_at,
    supersededBy: row.superseded_by,
    lastAccessAt: row.last_access_at,
    accessCount: row.access_count,
    state: row.state as Memory["state"],
    createdAt: row.created_at,
  };
}

/** Every query on a person's behalf begins here. */
function selectReadable(db: Kysely<Database>, rows: ReadableRows) {
  const query = db.selectFrom("memories").selectAll().where("memories.persona", "=", rows.persona);
  return rows.place === ""
    ? query.where("memories.person", "in", rows.accounts)
    : query.where("memories.place", "=", rows.place);
}

/** The memories that hold one of the words, of those that may be read; of each word the newest ones. */
export async function findByWords(
  db: Kysely<Database>,
  rows: ReadableRows,
  words: readonly string[],
): Promise<readonly WordHit[]> {
  const owners = rows.place === "" ? rows.accounts.map((account) => `person ${account}`) : [`place ${rows.place}`];
  const asked = new Map<number, string>();
  for (const owner of owners) for (const word of words) asked.set(toTerm(owner, rows.persona, word), word);
  const terms = [...asked.keys()];
  const hits: WordHit[] = [];
  for (let from = 0; from < terms.length; from += listsAtOnce) {
    const lists = terms
      .slice(from, from + listsAtOnce)
      .map(
        (term) =>
          sql`select term, memory from (select term, memory from memory_terms where term = ${term} order by memory desc limit ${sql.lit(maxOfWord)}) as one`,
      );
    const found = await sql<{ term: number; memory: number }>`${sql.join(lists, sql` union all `)}`.execute(db);
    for (const { memory, term } of found.rows) hits.push({ word: asked.get(term) ?? "", memory });
  }
  return hits;
}

/** The memories with these ids that the scope may read, in any order. */
export async function findMemories(
  db: Kysely<Database>,
  rows: ReadableRows,
  ids: readonly number[],
): Promise<readonly Memory[]> {
  if (ids.length === 0) return [];
  const found = await selectReadable(db, rows).where("id", "in", ids).where("state", "!=", "forgotten").execute();
  return found.map(toMemory);
}

/** The active ones, the newest first. */
export async function listActive(
  db: Kysely<Database>,
  rows: ReadableRows,
  {
    category,
    most,
    person,
  }: { readonly category?: FactCategory | undefined; readonly most: number; readonly person?: string },
): Promise<readonly Memory[]> {
  let query = selectReadable(db, rows).where("state", "=", "active");
  if (category !== undefined) query = query.where("category", "=", category);
  if (person !== undefined) query = query.where("person", "=", person);
  const found = await query.orderBy("valid_from", "desc").orderBy("id", "desc").limit(most).execute();
  return found.map(toMemory);
}

/** From this importance on a memory matters whatever the subject. */
export const lastingImportance = 0.85;

type StandingRequest = {
  readonly accounts: readonly string[];
  readonly place: string;
  readonly persona: string;
  readonly most: number;
  readonly own: readonly string[];
  readonly slots: readonly string[];
};

const selectStanding = rememberRows((db, { most, own, slots, ...rows }: StandingRequest) => {
  const isFirst = sql`case when person in (${sql.join(own)}) and (pinned = 1 or importance >= ${lastingImportance} or slot in (${sql.join(slots)})) then 0 else 1 end`;
  const ids = selectReadable(db, rows)
    .clearSelect()
    .select("id")
    .where("state", "=", "active")
    .orderBy(isFirst)
    .orderBy("valid_from", "desc")
    .orderBy("id", "desc")
    .limit(most);
  return db
    .selectFrom("memories")
    .selectAll()
    .where("id", "in", ids)
    .orderBy("valid_from", "desc")
    .orderBy("id", "desc");
});

/**
 * Active memories to begin a conversation with: those pinned or always important, and those of these slots, first those
 * that these accounts have said; then the newest of the rest. Empty only if there are none at all.
 */
export async function listStanding(
  db: Kysely<Database>,
  { accounts, persona, place }: ReadableRows,
  wanted: { readonly most: number; readonly own: readonly string[]; readonly slots: readonly string[] },
): Promise<readonly Memory[]> {
  const { most, own, slots } = wanted;
  return (await selectStanding(db, { accounts, persona, place, most, own, slots })).map(toMemory);
}

/** Facts that were true then, as far as it is known now. */
export async function listValidAt(
  db: Kysely<Database>,
  rows: ReadableRows,
  at: number,
  most: number,
): Promise<readonly Memory[]> {
  const found = await selectReadable(db, rows)
    .where("state", "!=", "forgotten")
    .where("valid_from", "<=", at)
    .where((of) => of.or([of("invalid_at", "is", null), of("invalid_at", ">", at)]))
    .orderBy("valid_from", "desc")
    .orderBy("id", "desc")
    .limit(most)
    .execute();
  return found.map(toMemory);
}

/** The active ones of these slots; with `own` only those that these accounts said. */
export async function findInSlots(
  db: Kysely<Database>,
  rows: ReadableRows,
  slots: readonly string[],
  own?: readonly string[],
): Promise<readonly Memory[]> {
  if (slots.length === 0) return [];
  const readable = selectReadable(db, rows);
  const found = await (own === undefined ? readable : readable.where("person", "in", own))
    .where("slot", "in", slots)
    .where("state", "=", "active")
    .orderBy("valid_from", "desc")
    .orderBy("id", "desc")
    .limit(rowsAtOnce)
    .execute();
  return found.map(toMemory);
}

/** The memories that one memory replaced, and those that they had replaced, newest first. */
export async function listPredecessors(db: Kysely<Database>, id: number): Promise<readonly Memory[]> {
  const { rows } = await sql<Row>`
    with recursive older(id) as (
      select id from memories where superseded_by = ${id}
      union select memories.id from memories join older on memories.superseded_by = older.id
    ) select memories.* from memories join older on memories.id = older.id
    where memories.state <> 'forgotten' order by memories.valid_from desc, memories.id desc limit 100`.execute(db);
  return rows.map(toMemory);
}
