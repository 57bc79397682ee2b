import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Database } from "../schema/database.ts";
import { longMessages, toMatch, toTextQuery, type LogQuery } from "../search/log-words.ts";
import { holdsPhrase, listTokens, readPhrase } from "../search/tokenise.ts";
import { isPostgres } from "./append-to-log.ts";
import { logColumns, type LogMessage, placesOfMoment, readLogRows } from "./chat-log.ts";

/** What is looked for. Signs are nothing: a word without letters, digits and emoji is left out. */
export interface LogSearch {
  /** In no others. */
  readonly chats: readonly number[];
  /** Each of these words is in the message. */
  readonly all?: readonly string[];
  /** One of these words is in it. */
  readonly any?: readonly string[];
  /** Ids of `log_senders`. */
  readonly senders?: readonly number[];
  /** Said then or later, then or earlier: milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
  /** Only what stands before this place. */
  readonly before?: number;
}

/** The stretch of places that is searched by the index, and the one before it whose messages are read. */
interface Plan {
  readonly query: LogQuery;
  readonly low: number;
  readonly indexedFrom: number;
  /** Not itself. */
  readonly high: number;
}

const rowsAtOnce = 500;

/** The newest messages in which all of it is, newest first. */
export async function searchLog(
  db: Kysely<Database>,
  search: LogSearch & { readonly limit: number },
): Promise<readonly LogMessage[]> {
  const plan = await makePlan(db, search);
  if (!plan) return [];
  const found: LogMessage[] = [];
  // FTS5 gives its rows in the order of its own numbers; by any other name all of them are read and sorted.
  const newestFirst = isPostgres(db) ? sql`m.place` : sql`f.rowid`;
  let { high } = plan;
  // A page is not full of hits only where long messages had to be compared.
  for (let isMore = true; isMore && found.length < search.limit && high > plan.indexedFrom;) {
    const asked = search.limit - found.length;
    const rows = await readLogRows(
      db,
      sql`select ${logColumns} ${fromIndex(db, search, plan, high)} order by ${newestFirst} desc limit ${asked}`,
    );
    found.push(...(isPostgres(db) ? rows.filter(({ text }) => text.length <= 250 || holds(text, plan.query)) : rows));
    isMore = rows.length === asked;
    high = rows.at(-1)?.place ?? plan.low;
  }
  for await (const message of readUnindexed(db, search, plan)) {
    if (found.length >= search.limit) break;
    found.push(message);
  }
  return found;
}

/** How many there are. */
export async function countLog(db: Kysely<Database>, search: LogSearch): Promise<number> {
  const plan = await makePlan(db, search);
  if (!plan) return 0;
  let count = 0;
  if (plan.high > plan.indexedFrom) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count ${fromIndex(db, search, plan, plan.high, "short")}`.execute(db);
    count = rows[0]?.count ?? 0;
    if (isPostgres(db)) {
      const long = sql`select ${logColumns} ${fromIndex(db, search, plan, plan.high, "long")}`;
      count += (await readLogRows(db, long)).filter(({ text }) => holds(text, plan.query)).length;
    }
  }
  for await (const _ of readUnindexed(db, search, plan)) count += 1;
  return count;
}

async function makePlan(db: Kysely<Database>, search: LogSearch): Promise<Plan | undefined> {
  const { all = [], any = [], before, chats, from = 0, senders, to } = search;
  const query = { all: listPhrases(all), any: listPhrases(any) };
  const asksNothing = query.all.length + query.any.length === 0 || (any.length > 0 && query.any.length === 0);
  if (chats.length === 0 || senders?.length === 0 || asksNothing) return undefined;
  const state = await db.selectFrom("log_state").select("value").where("name", "=", "indexed_from").executeTakeFirst();
  const low = from * placesOfMoment;
  const end = to === undefined ? Number.MAX_SAFE_INTEGER : (to + 1) * placesOfMoment;
  const high = Math.min(end, before ?? end);
  return { query, low, high, indexedFrom: Math.max(low, state?.value ?? 0) };
}

function listPhrases(words: readonly string[]) {
  return words.map(readPhrase).filter((phrase) => phrase !== undefined);
}

function fromIndex(
  db: Kysely<Database>,
  { chats, senders }: LogSearch,
  { indexedFrom, query }: Plan,
  high: number,
  part?: "short" | "long",
): RawBuilder<unknown> {
  if (!isPostgres(db)) {
    const match = toMatch(query, chats, senders);
    const hits = sql`log_search f`;
    const range = sql`where f.log_search match ${match} and f.rowid >= cast(${indexedFrom} as integer)
      and f.rowid < cast(${high} as integer)`;
    // Numbers are bound as real ones, which FTS5 does not take for bounds. Cross joins keep their order: the index comes first. A count needs no message.
    if (part !== undefined) return sql`from ${hits} ${range}`;
    return sql`from ${hits} cross join log_messages m on m.place = f.rowid cross join log_senders s on s.id = m.sender ${range}`;
  }
  const isLong = sql`m.words @@ ${longMessages}::tsquery`;
  return sql`from log_messages m join log_senders s on s.id = m.sender
    where m.chat in (${sql.join(chats)}) and m.place >= ${indexedFrom} and m.place < ${high}
      and m.words @@ ${toTextQuery(query)}::tsquery
      ${senders === undefined ? sql`` : sql`and m.sender in (${sql.join(senders)})`}
      ${part === undefined ? sql`` : part === "long" ? sql`and ${isLong}` : sql`and not ${isLong}`}`;
}

/** What the index does not have yet, while it is built anew: the messages are read and compared, newest first. */
async function* readUnindexed(
  db: Kysely<Database>,
  { chats, senders }: LogSearch,
  { high: end, indexedFrom, low, query }: Plan,
): AsyncGenerator<LogMessage> {
  let high = Math.min(end, indexedFrom);
  while (high > low) {
    const rows = await readLogRows(
      db,
      sql`select ${logColumns} from log_messages m join log_senders s on s.id = m.sender
        where m.chat in (${sql.join(chats)}) and m.place >= ${low} and m.place < ${high}
          ${senders === undefined ? sql`` : sql`and m.sender in (${sql.join(senders)})`}
        order by m.place desc limit ${rowsAtOnce}`,
    );
    for (const message of rows) if (holds(message.text, query)) yield message;
    if (rows.length < rowsAtOnce) return;
    high = rows.at(-1)?.place ?? low;
    // Others have their turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function holds(text: string, { all, any }: LogQuery): boolean {
  const tokens = listTokens(text);
  const isThere = (phrase: LogQuery["all"][number]) => holdsPhrase(tokens, phrase);
  return all.every(isThere) && (any.length === 0 || any.some(isThere));
}
