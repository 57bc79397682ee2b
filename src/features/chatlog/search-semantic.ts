import type { Kysely } from "kysely";
import { readLogMessages } from "./queries/chat-log.ts";
import { findAsking, findLogPlacesOfTime, readLogAround } from "./queries/chat-log-ranking.ts";
import type { Database } from "../../store/schema/database.ts";
import { compareUnits } from "../memory/embedding/embedder.ts";
import { createLexicalEmbedder } from "../memory/embedding/lexical-embedder.ts";
import type { Meaning } from "../memory/embedding/meaning.ts";
import { readQuestion } from "./ranking/read-question.ts";
import { rankLog, type RankedMessage } from "./rank-log.ts";

export interface FoundByMeaning {
  /** semantic = meanings were compared; lexical = words, and where few had them letters. */
  readonly kind: "lexical" | "semantic";
  /** The best first. */
  readonly found: readonly RankedMessage[];
}

const fromEach = 50;
/** Reciprocal rank fusion (Cormack et al. 2009). */
const fusionConstant = 60;
/** If words find less than was asked for, the letters of the newest messages are compared. */
const maxCompared = 1_000;
const minLikeness = 0.3;
const patienceMs = 5_000;
const lexical = createLexicalEmbedder();

/**
 * The messages of these chats that fit a sentence best, by meaning if there is a model for it, otherwise by wording.
 */
export async function searchSemantic(
  parts: { readonly db: Kysely<Database>; readonly meaning?: Pick<Meaning, "findInLog"> | undefined },
  chats: readonly number[],
  query: string,
  options: Parameters<typeof rankLog>[3],
): Promise<FoundByMeaning> {
  const { db, meaning } = parts;
  const { limit } = options;
  const byWords = await rankLog(db, chats, query, { ...options, limit: Math.max(limit, fromEach) });
  // Words of another time are no answer to a question for a time alone.
  const { ranges, terms } = readQuestion(query, [], options);
  if (ranges.length > 0 && terms.length === 0) return { kind: "lexical", found: byWords.slice(0, limit) };
  const nearest = await meaning?.findInLog(chats, query, Math.max(limit, fromEach));
  const asking = await findAsking(db, nearest?.map(({ item }) => item) ?? []);
  const near = nearest?.filter(({ item }) => !asking.has(item));
  if (near === undefined) {
    const found = byWords.slice(0, limit);
    const more = found.length < limit ? await compareLetters(db, chats, query) : [];
    const known = new Set(found.map(({ message }) => message.id));
    const least = found.at(-1)?.score ?? 1;
    const others = more.filter(({ message }) => !known.has(message.id)).slice(0, limit - found.length);
    return { kind: "lexical", found: [...found, ...others.map((one) => ({ ...one, score: one.score * least }))] };
  }
  const missing = near.filter(({ item }) => !byWords.some(({ message }) => message.id === item));
  const read = await readLogMessages(
    db,
    chats,
    missing.map(({ item }) => item),
  );
  const messages = new Map([...byWords.map(({ message }) => message), ...read].map((message) => [message.id, message]));
  const scores = new Map<number, number>();
  const add = (id: number, place: number) => scores.set(id, (scores.get(id) ?? 0) + 1 / (fusionConstant + place + 1));
  byWords.forEach(({ message }, place) => add(message.id, place));
  near.forEach(({ item }, place) => add(item, place));
  const best = 2 / (fusionConstant + 1);
  const found = [...scores]
    .toSorted(([newer, one], [older, other]) => other - one || older - newer)
    .flatMap(([id, score]) => {
      const message = messages.get(id);
      return message === undefined ? [] : [{ message, score: score / best }];
    });
  return { kind: "semantic", found: found.slice(0, limit) };
}

/** Slips of the pen, and words of which one letter is the same. */
async function compareLetters(
  db: Kysely<Database>,
  chats: readonly number[],
  query: string,
): Promise<readonly RankedMessage[]> {
  const places = await findLogPlacesOfTime(db, chats, { from: 0, to: farAhead, limit: maxCompared });
  const messages = await readLogAround(db, chats, places, { before: 0, after: 0 });
  const [asked, ...vectors] = await lexical.embed([query, ...messages.map(({ text }) => text)], patienceMs);
  if (asked === undefined) return [];
  return messages
    .map((message, at) => ({ message, score: compareUnits(asked, vectors[at] ?? asked) }))
    .filter(({ score }) => score >= minLikeness)
    .toSorted((one, other) => other.score - one.score);
}

/** The year 5138: times are milliseconds, and their places still exact numbers. */
const farAhead = 8_000_000_000_000;
