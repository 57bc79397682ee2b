import { readLogState, setLogState } from "../../chatlog/queries/log-state.ts";
import { createHash } from "node:crypto";
import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { isPostgres } from "../../../store/statements/is-postgres.ts";

/** A memory whose words are kept. */
interface Indexed {
  readonly id: number;
  readonly person: string;
  readonly place: string;
  readonly persona: string;
}

const rowsAtOnce = 400;
/** A slice takes a few milliseconds, so that it hardly delays other users of the database. */
const memoriesOfSlice = 50;

/** One number for a word and its reader: one person's words do not lengthen the lists of another. */
export function toTerm(owner: string, persona: string, word: string): number {
  return createHash("sha256").update(`${owner}\0${persona}\0${word}`).digest().readUIntBE(0, 6);
}

/** Words said in a group are found by their speaker and in that group. */
function listOwners({ person, place }: Indexed): readonly string[] {
  return place === "" ? [`person ${person}`] : [`person ${person}`, `place ${place}`];
}

/** In the caller's transaction. */
export async function insertTerms(db: Kysely<Database>, memory: Indexed, words: readonly string[]): Promise<void> {
  const terms = listOwners(memory).flatMap((owner) =>
    [...new Set(words)].map((word) => ({ term: toTerm(owner, memory.persona, word), memory: memory.id })),
  );
  for (let from = 0; from < terms.length; from += rowsAtOnce)
    await db
      .insertInto("memory_terms")
      .values(terms.slice(from, from + rowsAtOnce))
      .onConflict((conflict) => conflict.columns(["term", "memory"]).doNothing())
      .execute();
}

/**
 * Indexes some more memories again whose words are of another version, oldest first; until then a memory keeps its old
 * words and is found by them. Returns whether more are left.
 */
export function renewTermsSlice(
  db: Kysely<Database>,
  version: number,
  toWords: (memory: { readonly content: string; readonly value: string | null }) => readonly string[],
  most = memoriesOfSlice,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if ((await readLogState(tx, "memory_words")) === version) return false;
    const after =
      (await readLogState(tx, "memory_words_next_of")) === version ? await readLogState(tx, "memory_words_next") : 0;
    const query = tx
      .selectFrom("memories")
      .select(["id", "person", "place", "persona", "content", "value"])
      .where("id", ">", after)
      .where("state", "!=", "forgotten")
      .orderBy("id")
      .limit(most);
    // A person who forgets one of them waits; the trigger `memory_terms_forgotten` then deletes its new words, too.
    const memories = await (isPostgres(tx) ? query.forUpdate() : query).execute();
    for (const memory of memories) {
      await sql`delete from memory_terms where memory = ${memory.id}`.execute(tx);
      await insertTerms(tx, memory, toWords(memory));
    }
    const isLast = memories.length < most;
    if (isLast) await setLogState(tx, "memory_words", version);
    else {
      await setLogState(tx, "memory_words_next_of", version);
      await setLogState(tx, "memory_words_next", memories.at(-1)?.id ?? after);
    }
    return !isLast;
  });
}
