import { setImmediate } from "node:timers/promises";
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { longMessages, toMatch, toTextQuery, type LogQuery } from "./log-words.ts";
import { holdsPhrase, listTokens } from "../../../store/search/tokenise.ts";
import { isPostgres } from "../../../store/statements/is-postgres.ts";
import { logColumns, readLogRows, type LogMessage } from "./chat-log.ts";
import { isSaidIn, type PlaceRange } from "./log-places.ts";

/** A query of the index. */
export interface IndexSearch {
  readonly chats: readonly number[];
  readonly senders?: readonly number[] | undefined;
  readonly query: LogQuery;
  readonly range: PlaceRange;
  /** Leaves out messages that only asked the log. */
  readonly withoutQuestions?: boolean | undefined;
  /** The messages show which chats they belong to; the index is not asked. */
  readonly isNear?: boolean;
}

/** The number of messages read at a time; other work runs in between. */
const rowsAtOnce = 1_000;

/** For more chats than these their messages are read first: each chat's list costs a look for each hit of a word. */
const fewChats = 3;
/**
 * This many hits of all chats are looked at, regardless of readers; further ones are sought by chat, so that others'
 * cost nothing.
 */
const newestHits = 300;

type Hit = Pick<LogMessage, "place" | "text">;

/**
 * The places of its hits, newest first, lazily: about `limit` are found at once, later ones only if the caller asks for
 * them.
 */
export function findInIndex(
  db: Kysely<Database>,
  search: IndexSearch,
  limit: number,
): AsyncGenerator<{ place: number }> {
  const isText = isCompared(search.query);
  return readPages(search, limit, async (high, count) => {
    const of = isPostgres(db) || isText ? sql`m.place` : sql`f.rowid as place`;
    const rows = sql<Hit>`select ${of}${isText ? sql`, m.text` : sql``}
      ${fromIndex(db, search, { high, isRead: isText })} ${newestFirst(db)} limit ${count}`;
    return (await rows.execute(db)).rows;
  });
}

/** The messages themselves. */
export async function* readFromIndex(
  db: Kysely<Database>,
  search: IndexSearch,
  limit: number,
): AsyncGenerator<LogMessage> {
  for (const part of await splitSearch(db, search))
    yield* readPages(part, limit, (high, count) =>
      readLogRows(
        db,
        sql`select ${logColumns} ${fromIndex(db, part, { high, isRead: true })} ${newestFirst(db)} limit ${count}`,
      ),
    );
}

async function splitSearch(db: Kysely<Database>, search: IndexSearch): Promise<readonly IndexSearch[]> {
  const { chats, query, range } = search;
  if (isPostgres(db) || chats.length <= fewChats) return [search];
  const { rows } = await sql<{ place: number }>`select f.rowid as place from log_search f
    where f.log_search match ${toMatch(query, [])} and f.rowid >= cast(${range.low} as integer)
      and f.rowid < cast(${range.high} as integer)
    order by f.rowid desc limit 1 offset ${newestHits - 1}`.execute(db);
  const [oldest] = rows;
  if (!oldest) return [{ ...search, isNear: true }];
  return [
    { ...search, range: { ...range, low: oldest.place }, isNear: true },
    { ...search, range: { ...range, high: oldest.place } },
  ];
}

/** Counts the hits. A count reads no text unless a word is more than one token. */
export async function countInIndex(db: Kysely<Database>, search: IndexSearch): Promise<number> {
  const { high } = search.range;
  const isText = isCompared(search.query);
  let count = 0;
  // For a short message Postgres knows where its words stand.
  if (isPostgres(db) || !isText) {
    const part = isText ? "short" : undefined;
    const { rows } = await sql<{ count: number }>`
      select count(*) as count ${fromIndex(db, search, { high, isRead: false, part })}`.execute(db);
    count = rows[0]?.count ?? 0;
  }
  if (!isText) return count;
  const part = isPostgres(db) ? "long" : undefined;
  const hits = readPages(search, rowsAtOnce, async (below, limit) => {
    const from = fromIndex(db, search, { high: below, isRead: true, part });
    return (await sql<Hit>`select m.place, m.text ${from} ${newestFirst(db)} limit ${limit}`.execute(db)).rows;
  });
  for await (const _ of hits) count += 1;
  return count;
}

/** Whether a text matches the query: reading gives the same answer as the index. */
export function holds(text: string, { all, any }: LogQuery): boolean {
  const tokens = listTokens(text);
  const isThere = (phrase: LogQuery["all"][number]) => holdsPhrase(tokens, phrase);
  return all.every(isThere) && (any.length === 0 || any.some(isThere));
}

/** The index knows which tokens a message has; of several it does not know whether they stand together. */
function isCompared({ all, any }: LogQuery): boolean {
  return [...all, ...any].some(({ tokens }) => tokens.length > 1);
}

async function* readPages<Row extends { readonly place: number; readonly text?: string }>(
  { query, range }: IndexSearch,
  limit: number,
  read: (high: number, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  const isText = isCompared(query);
  let { high } = range;
  for (let asked = limit; high > range.low; asked *= 2) {
    const count = Math.min(asked, rowsAtOnce);
    const rows = await read(high, count);
    for (const row of rows) if (!isText || holds(row.text ?? "", query)) yield row;
    if (rows.length < count) return;
    high = rows.at(-1)?.place ?? range.low;
    await setImmediate();
  }
}

/** FTS5 returns its rows in the order of its own numbers; by any other name all of them are read and sorted. */
function newestFirst(db: Kysely<Database>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`order by m.place desc` : sql`order by f.rowid desc`;
}

/** `isRead` = the message `m` and its sender `s` are wanted; a part is of Postgres only. */
function fromIndex(
  db: Kysely<Database>,
  { chats, isNear = false, query, range, senders, withoutQuestions = false }: IndexSearch,
  {
    high,
    isRead,
    part,
  }: { readonly high: number; readonly isRead: boolean; readonly part?: "short" | "long" | undefined },
): RawBuilder<unknown> {
  const isTalk = withoutQuestions ? sql`and m.asks = 0` : sql``;
  if (isPostgres(db)) {
    const isLong = sql`m.words @@ ${longMessages}::tsquery`;
    return sql`from log_messages m join log_senders s on s.id = m.sender
      where m.chat in (${sql.join(chats)}) and m.place >= ${range.low} and m.place < ${high} ${isSaidIn(range)} ${isTalk}
        and m.words @@ ${toTextQuery(query)}::tsquery
        ${senders === undefined ? sql`` : sql`and m.sender in (${sql.join(senders)})`}
        ${part === undefined ? sql`` : part === "long" ? sql`and ${isLong}` : sql`and not ${isLong}`}`;
  }
  // Numbers are bound as real ones, which FTS5 does not take for bounds.
  const found = sql`where f.log_search match ${isNear ? toMatch(query, []) : toMatch(query, chats, senders)}
    and f.rowid >= cast(${range.low} as integer) and f.rowid < cast(${high} as integer)`;
  // Cross joins keep their order: the index comes first.
  if (isRead)
    return sql`from log_search f cross join log_messages m on m.place = f.rowid
      cross join log_senders s on s.id = m.sender ${found} ${isSaidIn(range)} ${isTalk}
      ${isNear ? sql`and m.chat in (${sql.join(chats)})` : sql``}
      ${isNear && senders !== undefined ? sql`and m.sender in (${sql.join(senders)})` : sql``}`;
  // The few questions are listed once, and no message is read.
  const isNone = withoutQuestions ? sql`and +f.rowid not in (select place from log_messages where asks = 1)` : sql``;
  if (range.from === undefined && range.until === undefined) return sql`from log_search f ${found} ${isNone}`;
  const { sure } = range;
  return sql`from log_search f ${found} ${isNone} and ((+f.rowid >= ${sure.low} and +f.rowid < ${sure.high})
    or exists (select 1 from log_messages m where m.place = f.rowid ${isSaidIn(range)}))`;
}
