import { readLogState } from "./log-state.ts";
import { setImmediate } from "node:timers/promises";
import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { readPhrase } from "../../../store/search/tokenise.ts";
import { logColumns, type LogMessage, readLogRows } from "./chat-log.ts";
import { countInIndex, holds, type IndexSearch, readFromIndex } from "./log-index.ts";
import { findPlaceRange, isSaidIn } from "./log-places.ts";

/** The words that are looked for. Signs are nothing: a word without letters, digits and emoji is left out. */
export interface LogSearch {
  /** In no others. */
  readonly chats: readonly number[];
  /** Each of these words is in the message. */
  readonly all?: readonly string[];
  /** At least one of these words occurs in it. */
  readonly any?: readonly string[];
  /** Leaves out messages that only asked the log, and her answers to them. */
  readonly withoutQuestions?: boolean;
  /** Ids of `log_senders`. */
  readonly senders?: readonly number[];
  /** Said then or later, then or earlier: milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
  /** Only what stands before this place. */
  readonly before?: number;
}

/** The time that the index covers, and the time before it whose messages are read. */
interface Plan {
  readonly indexed: IndexSearch;
  readonly unindexed: IndexSearch;
}

const rowsAtOnce = 500;

/** The newest messages in which all of it is, newest first. */
export async function searchLog(
  db: Kysely<Database>,
  search: LogSearch & { readonly limit: number },
): Promise<readonly LogMessage[]> {
  const { limit } = search;
  const plan = await makePlan(db, search);
  if (!plan || limit <= 0) return [];
  const found: LogMessage[] = [];
  for (const messages of [readFromIndex(db, plan.indexed, limit), readUnindexed(db, plan.unindexed)]) {
    for await (const message of messages) {
      found.push(message);
      if (found.length >= limit) return found;
    }
  }
  return found;
}

/** Counts the matching messages. */
export async function countLog(db: Kysely<Database>, search: LogSearch): Promise<number> {
  const plan = await makePlan(db, search);
  if (!plan) return 0;
  const { high, low } = plan.indexed.range;
  let count = high > low ? await countInIndex(db, plan.indexed) : 0;
  for await (const _ of readUnindexed(db, plan.unindexed)) count += 1;
  return count;
}

async function makePlan(db: Kysely<Database>, search: LogSearch): Promise<Plan | undefined> {
  const { all = [], any = [], before, chats, from, senders, to, withoutQuestions } = search;
  const query = { all: listPhrases(all), any: listPhrases(any) };
  const asksNothing = query.all.length + query.any.length === 0 || (any.length > 0 && query.any.length === 0);
  if (chats.length === 0 || senders?.length === 0 || asksNothing) return undefined;
  const range = await findPlaceRange(db, { from, until: to === undefined ? undefined : to + 1 });
  const high = Math.min(range.high, before ?? range.high);
  const indexedFrom = Math.max(range.low, await readLogState(db, "indexed_from"));
  const asked = { chats, query, senders, withoutQuestions };
  return {
    indexed: { ...asked, range: { ...range, low: indexedFrom, high } },
    unindexed: { ...asked, range: { ...range, high: Math.min(high, indexedFrom) } },
  };
}

function listPhrases(words: readonly string[]) {
  return words.map(readPhrase).filter((phrase) => phrase !== undefined);
}

/** Messages that the index lacks while it is being rebuilt: they are read and compared, newest first. */
async function* readUnindexed(
  db: Kysely<Database>,
  { chats, query, range, senders, withoutQuestions = false }: IndexSearch,
): AsyncGenerator<LogMessage> {
  let { high } = range;
  while (high > range.low) {
    const rows = await readLogRows(
      db,
      sql`select ${logColumns} from log_messages m join log_senders s on s.id = m.sender
        where m.chat in (${sql.join(chats)}) and m.place >= ${range.low} and m.place < ${high} ${isSaidIn(range)}
          ${senders === undefined ? sql`` : sql`and m.sender in (${sql.join(senders)})`}
          ${withoutQuestions ? sql`and m.asks = 0` : sql``}
        order by m.place desc limit ${rowsAtOnce}`,
    );
    for (const message of rows) if (holds(message.text, query)) yield message;
    if (rows.length < rowsAtOnce) return;
    high = rows.at(-1)?.place ?? range.low;
    // Others have their turn.
    await setImmediate();
  }
}
