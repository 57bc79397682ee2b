import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { readPhrase } from "../../../store/search/tokenise.ts";
import { logColumns, readLogRows, type LogMessage } from "./chat-log.ts";
import { findInIndex } from "./log-index.ts";
import { findPlaceRange, isSaidIn } from "./log-places.ts";

const wordsAtOnce = 60;
/** A chat with more messages is not counted to the end: the newest of them show how often a word occurs. */
const maxCounted = 20_000;

/**
 * The newest places that hold one of the words of `any` and each of `all`, newest first. While the index is being
 * rebuilt, it answers with what it has.
 */
export async function findLogPlaces(
  db: Kysely<Database>,
  sought: {
    readonly chats: readonly number[];
    readonly all?: readonly string[];
    readonly any: readonly string[];
    readonly from?: number;
    /** Not itself. */
    readonly to?: number;
    readonly limit: number;
  },
): Promise<readonly number[]> {
  const { all = [], any, chats, from, limit, to } = sought;
  const list = (words: readonly string[]) => words.map(readPhrase).filter((phrase) => phrase !== undefined);
  const query = { all: list(all), any: list(any.slice(0, wordsAtOnce)) };
  if (chats.length === 0 || query.any.length === 0 || query.all.length < all.length) return [];
  const places: number[] = [];
  for await (const { place } of findInIndex(
    db,
    { chats, query, range: await findPlaceRange(db, { from, until: to }), withoutQuestions: true },
    limit,
  )) {
    places.push(place);
    if (places.length === limit) break;
  }
  return places;
}

/** The messages among these that only asked the log, answered from it, or are her receipts. */
export async function findAsking(db: Kysely<Database>, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom("log_messages").select("id").where("id", "in", ids).where("asks", "=", 1).execute();
  return new Set(rows.map(({ id }) => id));
}

/** The messages at these places and the nearest ones of the same chat, in order of chat and time. */
export async function readLogAround(
  db: Kysely<Database>,
  chats: readonly number[],
  places: readonly number[],
  { after, before }: { readonly before: number; readonly after: number },
): Promise<readonly LogMessage[]> {
  if (chats.length === 0 || places.length === 0) return [];
  const near = (sign: "<=" | ">", order: "asc" | "desc", count: number) => sql`
    select m.id from log_messages h join log_messages m on m.id in (
      select n.id from log_messages n where n.chat = h.chat and n.place ${sql.raw(sign)} h.place
      order by n.place ${sql.raw(order)} limit ${count})
    where h.chat in (${sql.join(chats)}) and h.place in (${sql.join(places)})`;
  return readLogRows(
    db,
    sql`select ${logColumns} from log_messages m join log_senders s on s.id = m.sender
      where m.id in (${near("<=", "desc", before + 1)} union ${near(">", "asc", after)})
      order by m.chat, m.place`,
  );
}

/** The newest messages of a time, newest first. */
export async function findLogPlacesOfTime(
  db: Kysely<Database>,
  chats: readonly number[],
  { from, limit, to }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<readonly number[]> {
  if (chats.length === 0) return [];
  const range = await findPlaceRange(db, { from, until: to });
  const { rows } = await sql<{ place: number }>`select m.place from log_messages m where m.chat in (${sql.join(chats)})
    and m.place >= ${range.low} and m.place < ${range.high} and m.asks = 0 ${isSaidIn(range)}
    order by m.place desc limit ${limit}`.execute(db);
  return rows.map(({ place }) => place);
}

/** Counts the messages of these chats from a place on; no more than the newest 20,000 are counted. */
export async function countLogFrom(db: Kysely<Database>, chats: readonly number[], place = 0): Promise<number> {
  if (chats.length === 0) return 0;
  const { count } = await db
    .selectFrom(
      db
        .selectFrom("log_messages")
        .select("id")
        .where("chat", "in", chats)
        .where("place", ">=", place)
        .limit(maxCounted)
        .as("some"),
    )
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}
