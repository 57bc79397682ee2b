import { CompiledQuery, sql, type Kysely } from "kysely";
import { isPostgres } from "../../../store/statements/is-postgres.ts";
import type { Taint } from "../../../core/conversation.ts";
import { AppError } from "../../../core/errors.ts";
import type { Database } from "../../../store/schema/database.ts";
import { toVector } from "./log-words.ts";
import { type LogChat, type LogMessage, withdrawFromLog } from "./chat-log.ts";
import { placesOfSecond, toSecond } from "./log-places.ts";
import { noteSpilled } from "./log-state.ts";
import { addLogReader } from "./log-readers.ts";

/** A message for the log. The same `key` again in its chat is the same message. */
export interface LogEntry {
  readonly chat: number;
  /** An empty `person` = unknown, or she. */
  readonly sender: { readonly person: string; readonly name: string };
  readonly role: LogMessage["role"];
  readonly text: string;
  readonly taint: Taint;
  readonly key: string;
  /** Its row in `messages`. */
  readonly message?: number | undefined;
  /** Milliseconds since 1970. */
  readonly saidAt: number;
}

/** A longer text is cut. */
const maxLogText = 32_000;
const rowsAtOnce = 100;

/** Makes a chat that no session belongs to. In the caller's transaction. */
export async function addLogChat(
  db: Kysely<Database>,
  chat: Omit<LogChat, "id" | "session"> & {
    readonly readers: readonly string[];
    readonly now: number;
    /** Its id on its platform; "" if unknown. */
    readonly origin?: string;
  },
): Promise<number> {
  const { kind, name, now, origin, readers } = chat;
  const { id } = await db
    .insertInto("log_chats")
    .values({ session: null, name, kind, origin: origin ?? null, created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const person of new Set(readers)) await addLogReader(db, id, person);
  return id;
}

/**
 * Adds messages of any times, keeping their order where times are equal. Returns how many were new. In a transaction.
 */
export async function appendToLog(
  db: Kysely<Database>,
  entries: readonly LogEntry[],
  onPlace: (place: number) => void = () => undefined,
): Promise<number> {
  await waitForLog(db);
  const senders = new Map<string, number>();
  // The index takes rows in the order of their places faster.
  const sorted = entries.toSorted((a, b) => a.saidAt - b.saidAt);
  let [added, spilled] = [0, 0];
  for (let from = 0; from < sorted.length; from += rowsAtOnce) {
    const some = await appendSome(db, sorted.slice(from, from + rowsAtOnce), senders, onPlace);
    added += some.count;
    spilled = Math.max(spilled, some.spilled);
  }
  await noteSpilled(db, spilled);
  return added;
}

/** Returns how many were new, and the maximum number of seconds between a message's place and its time. */
async function appendSome(
  db: Kysely<Database>,
  entries: readonly LogEntry[],
  senders: Map<string, number>,
  onPlace: (place: number) => void,
): Promise<{ readonly count: number; readonly spilled: number }> {
  let missing = await dropKnown(db, entries);
  const count = missing.length;
  let spilled = 0;
  for (let tries = 0; missing.length > 0; tries += 1) {
    if (tries >= maxTries) throw new AppError("STORE_FAILED", "The chat log found no place for a message.");
    const free = await findFreePlaces(db, missing);
    const rows: Row[] = [];
    for (const [index, { chat, key, message, role, saidAt, sender, taint, text }] of missing.entries()) {
      const place = free[index] ?? 0;
      spilled = Math.max(spilled, Math.floor(place / placesOfSecond) - toSecond(saidAt));
      onPlace(place);
      const senderId = await findSender(db, sender, senders);
      rows.push([place, chat, senderId, role, cutLogText(text), taint, key, message ?? null, saidAt]);
    }
    // log-said.ts adds single messages without waiting here: it may have taken a place, or added the same message.
    const isAll = (await insertRows(db, rows)) === rows.length;
    missing = isAll ? [] : await dropKnown(db, missing);
  }
  return { count, spilled };
}

/** Each try sees what others have committed since; far more than there can be others. */
const maxTries = 1_000;
/** An arbitrary number of ours among the locks of the database. */
const logLock = 0x6c_6f_67;

/**
 * On Postgres the transactions that choose places take turns, each until its commit: in parallel, two of them would
 * want the same ones. Senders are written after it, too, so that no transaction waits for a sender written by one that
 * waits here.
 */
export async function waitForLog(db: Kysely<Database>): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${logLock})`.execute(db);
}

type Row = readonly [
  place: number,
  chat: number,
  sender: number,
  role: string,
  text: string,
  taint: string,
  key: string,
  message: number | null,
  saidAt: number,
];

/** The SQL is built by hand: for so many values a query builder takes longer than SQLite does. */
async function insertRows(db: Kysely<Database>, rows: readonly Row[]): Promise<number> {
  const columns = "place, chat, sender, role, text, taint, key, message, said_at";
  if (!isPostgres(db)) {
    const values = rows.map(() => "(?, ?, ?, ?, ?, ?, ?, ?, ?)").join(", ");
    const statement = `insert into log_messages (${columns}) values ${values} on conflict do nothing`;
    return Number((await db.executeQuery(CompiledQuery.raw(statement, rows.flat()))).numAffectedRows);
  }
  const column = (index: keyof Row & number) => rows.map((row) => row[index]);
  const words = rows.map(([, , , , text]) => toVector(text));
  const { numAffectedRows } = await sql`insert into log_messages (${sql.raw(columns)}, words)
    select place, chat, sender, role, text, taint, key, message, said_at, cast(words as tsvector)
    from unnest(${column(0)}::bigint[], ${column(1)}::bigint[], ${column(2)}::bigint[], ${column(3)}::text[],
      ${column(4)}::text[], ${column(5)}::text[], ${column(6)}::text[], ${column(7)}::bigint[], ${column(8)}::bigint[],
      ${words}::text[]) as given (${sql.raw(columns)}, words)
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows);
}

/** The text as the log stores it. */
export function cutLogText(text: string): string {
  return text.replaceAll("\0", " ").slice(0, maxLogText).toWellFormed();
}

/** The entries that are not in the log yet, each once. */
async function dropKnown(db: Kysely<Database>, entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
  const left = new Map(entries.toReversed().map((entry) => [`${entry.chat} ${entry.key}`, entry]));
  for (const [chat, some] of Map.groupBy(entries, (entry) => entry.chat)) {
    const rows = await findKeys(
      db,
      chat,
      some.map(({ key }) => key),
    );
    for (const key of rows) left.delete(`${chat} ${key}`);
  }
  return [...left.values()].toReversed();
}

/** The keys that the chat has, looked up one by one: given a list, Postgres would read the whole chat. */
async function findKeys(db: Kysely<Database>, chat: number, keys: readonly string[]): Promise<readonly string[]> {
  const { rows } = isPostgres(db)
    ? await sql<{ key: string }>`select given.key from unnest(${keys}::text[]) as given (key)
        cross join lateral (select 1 from log_messages m where m.chat = ${chat} and m.key = given.key limit 1) m`.execute(
        db,
      )
    : await sql<{ key: string }>`select key from log_messages where chat = ${chat}
        and key in (select value from json_each(${JSON.stringify(keys)}))`.execute(db);
  return rows.map(({ key }) => key);
}

async function findSender(
  db: Kysely<Database>,
  { name, person }: LogEntry["sender"],
  known: Map<string, number>,
): Promise<number> {
  const label = `${person}\0${name}`;
  const before = known.get(label);
  if (before !== undefined) return before;
  const id = await ensureLogSender(db, person, name);
  known.set(label, id);
  return id;
}

export async function ensureLogSender(db: Kysely<Database>, person: string, name: string): Promise<number> {
  const query = db.selectFrom("log_senders").select("id").where("person", "=", person).where("name", "=", name);
  const found = await query.executeTakeFirst();
  if (found) return found.id;
  await db
    .insertInto("log_senders")
    .values({ person, name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await query.executeTakeFirstOrThrow()).id;
}

/** A place for each, in their order; they are sorted by time. A second is full when its last place is taken. */
async function findFreePlaces(db: Kysely<Database>, entries: readonly LogEntry[]): Promise<readonly number[]> {
  const places: number[] = [];
  const next = await readNextPlaces(db, [...new Set(entries.map(({ saidAt }) => toSecond(saidAt)))]);
  const read = async (second: number) =>
    next.get(second) ?? (await readNextPlaces(db, [second])).get(second) ?? second * placesOfSecond;
  for (const { saidAt } of entries) {
    let second = Math.max(toSecond(saidAt), Math.floor((places.at(-1) ?? 0) / placesOfSecond));
    let free = await read(second);
    if (free >= (second + 1) * placesOfSecond) {
      second = await findOpenSecond(db, second + 1);
      free = await read(second);
    }
    next.set(second, free + 1);
    places.push(free);
  }
  return places;
}

async function readNextPlaces(db: Kysely<Database>, seconds: readonly number[]): Promise<Map<number, number>> {
  const list = isPostgres(db)
    ? sql`unnest(${seconds}::bigint[]) as given (value)`
    : sql`json_each(${JSON.stringify(seconds)}) as given`;
  const { rows } = await sql<{ second: number; last: number | null }>`
    select given.value as second, (select max(place) from log_messages
      where place >= given.value * ${sql.lit(placesOfSecond)}
        and place < (given.value + 1) * ${sql.lit(placesOfSecond)}) as last
    from ${list}`.execute(db);
  return new Map(rows.map(({ last, second }) => [second, last === null ? second * placesOfSecond : last + 1]));
}

/** The first second from there on that has a place left. */
async function findOpenSecond(db: Kysely<Database>, from: number): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    with recursive looked (second) as (select cast(${from} as bigint) union all select second + 1 from looked
      where exists (select 1 from log_messages where place = second * ${sql.lit(placesOfSecond)} + ${sql.lit(placesOfSecond - 1)}))
    select max(second) as open from looked`.execute(db);
  return rows[0]?.open ?? from;
}

/** Its author wrote something else instead. An empty text takes it out. */
export async function amendInLog(
  db: Kysely<Database>,
  { message, person, session, text: given }: { session: string; message: string; person: string; text: string },
): Promise<void> {
  const text = cutLogText(given);
  if (text.trim() === "") return withdrawFromLog(db, session, message);
  const words = isPostgres(db) ? sql`, words = ${toVector(text)}::tsvector` : sql``;
  await sql`update log_messages set text = ${text}, asks = 0${words} where key = ${message}
    and chat in (select id from log_chats where session = ${session})
    and sender in (select id from log_senders where person = ${person})`.execute(db);
}
