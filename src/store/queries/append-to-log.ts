import { PostgresAdapter, sql, type Kysely } from "kysely";
import type { Taint } from "../../core/conversation.ts";
import type { Database } from "../schema/database.ts";
import { toVector } from "../search/log-words.ts";
import { type LogChat, type LogMessage, placesOfMoment, withdrawFromLog } from "./chat-log.ts";

/** A message for the log. The same `key` again in its chat is the same message. */
export interface LogEntry {
  readonly chat: number;
  /** An empty `person` = nobody we know, or she. */
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
const mostLogText = 32_000;
const rowsAtOnce = 100;

/** Makes a chat that no session belongs to. In the caller's transaction. */
export async function addLogChat(
  db: Kysely<Database>,
  chat: Omit<LogChat, "id" | "session"> & { readonly readers: readonly string[]; readonly now: number },
): Promise<number> {
  const { kind, name, now, readers } = chat;
  const { id } = await db
    .insertInto("log_chats")
    .values({ session: null, name, kind, created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const person of new Set(readers)) await addLogReader(db, id, person);
  return id;
}

/** The person may read the chat from now on. */
export async function addLogReader(db: Kysely<Database>, chat: number, person: string): Promise<void> {
  await db
    .insertInto("log_readers")
    .values({ chat, person })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Adds messages that may be of any time, in their order where that is the same. Answers how many were new. In a transaction. */
export async function appendToLog(db: Kysely<Database>, entries: readonly LogEntry[]): Promise<number> {
  const senders = new Map<string, number>();
  // The index takes rows in the order of their places faster.
  const sorted = entries.toSorted((a, b) => a.saidAt - b.saidAt);
  let added = 0;
  for (let from = 0; from < sorted.length; from += rowsAtOnce)
    added += await appendSome(db, sorted.slice(from, from + rowsAtOnce), senders);
  return added;
}

async function appendSome(
  db: Kysely<Database>,
  entries: readonly LogEntry[],
  senders: Map<string, number>,
): Promise<number> {
  let missing = await dropKnown(db, entries);
  const count = missing.length;
  for (let tries = 0; missing.length > 0; tries += 1) {
    const free = await findFreePlaces(db, missing);
    const rows = [];
    for (const [index, { chat, key, message, role, saidAt, sender, taint, text: given }] of missing.entries()) {
      const text = cutLogText(given);
      const row = [
        free[index],
        chat,
        await findSender(db, sender, senders),
        role,
        text,
        taint,
        key,
        message ?? null,
        saidAt,
      ];
      const values = sql.join(row);
      rows.push(isPostgres(db) ? sql`(${values}, ${toVector(text)}::tsvector)` : sql`(${values})`);
    }
    const columns = sql.raw(
      `place, chat, sender, role, text, taint, key, message, said_at${isPostgres(db) ? ", words" : ""}`,
    );
    // Another transaction may have taken a place meanwhile, or have brought the same message.
    await sql`insert into log_messages (${columns}) values ${sql.join(rows)} on conflict do nothing`.execute(db);
    missing = isPostgres(db) && tries < 5 ? await dropKnown(db, missing) : [];
  }
  return count;
}

export function isPostgres(db: Kysely<Database>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** As it is kept. */
export function cutLogText(text: string): string {
  return text.replaceAll("\0", " ").slice(0, mostLogText).toWellFormed();
}

/** Those that are not in the log yet, each once. */
async function dropKnown(db: Kysely<Database>, entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
  const left = new Map(entries.toReversed().map((entry) => [`${entry.chat} ${entry.key}`, entry]));
  for (const [chat, some] of Map.groupBy(entries, (entry) => entry.chat)) {
    const keys = some.map(({ key }) => key);
    const rows = await db
      .selectFrom("log_messages")
      .select("key")
      .where("chat", "=", chat)
      .where("key", "in", keys)
      .execute();
    for (const { key } of rows) left.delete(`${chat} ${key}`);
  }
  return [...left.values()].toReversed();
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

/** A place for each, in their order; they are sorted by time. */
async function findFreePlaces(db: Kysely<Database>, entries: readonly LogEntry[]): Promise<readonly number[]> {
  const places: number[] = [];
  const next = await readNextPlaces(db, [...new Set(entries.map(({ saidAt }) => saidAt))]);
  for (const { saidAt } of entries) {
    let moment = Math.max(saidAt, Math.floor((places.at(-1) ?? 0) / placesOfMoment));
    for (;;) {
      const free = next.get(moment) ?? (await readNextPlaces(db, [moment])).get(moment) ?? 0;
      next.set(moment, free + 1);
      if (free < (moment + 1) * placesOfMoment) {
        places.push(free);
        break;
      }
      moment += 1;
    }
  }
  return places;
}

async function readNextPlaces(db: Kysely<Database>, moments: readonly number[]): Promise<Map<number, number>> {
  const list = sql.join(moments.map((moment) => sql`(${moment * placesOfMoment})`));
  const number = sql.raw(isPostgres(db) ? "bigint" : "integer");
  const { rows } = await sql<{ first: number; last: number | null }>`
    with moments (first) as (values ${list})
    select cast(first as ${number}) as first, (select max(place) from log_messages
      where place >= cast(first as ${number}) and place < cast(first as ${number}) + ${sql.lit(placesOfMoment)}) as last
    from moments`.execute(db);
  return new Map(rows.map(({ first, last }) => [first / placesOfMoment, last === null ? first : last + 1]));
}

/** Its author wrote something else instead. An empty text takes it out. */
export async function amendInLog(
  db: Kysely<Database>,
  { message, person, session, text: given }: { session: string; message: string; person: string; text: string },
): Promise<void> {
  const text = cutLogText(given);
  if (text.trim() === "") return withdrawFromLog(db, session, message);
  const words = isPostgres(db) ? sql`, words = ${toVector(text)}::tsvector` : sql``;
  await sql`update log_messages set text = ${text}${words} where key = ${message}
    and chat in (select id from log_chats where session = ${session})
    and sender in (select id from log_senders where person = ${person})`.execute(db);
}
