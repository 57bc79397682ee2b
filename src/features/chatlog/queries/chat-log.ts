import { sql, type Kysely } from "kysely";
import type { Taint } from "../../../core/conversation.ts";
import type { Database } from "../../../store/schema/database.ts";
import { toPlace } from "./log-places.ts";

/** A message of the log, as people and tools get it. */
export interface LogMessage {
  /** Its number for people and tools; it never changes. */
  readonly id: number;
  readonly chat: number;
  /** Its place in time among all messages of the log. */
  readonly place: number;
  /** An empty `person` = unknown, or she. */
  readonly sender: { readonly id: number; readonly person: string; readonly name: string };
  readonly role: "person" | "her";
  readonly text: string;
  readonly taint: Taint;
  /** Milliseconds since 1970. */
  readonly saidAt: number;
}

export interface LogChat {
  readonly id: number;
  /** null = imported */
  readonly session: string | null;
  readonly name: string;
  readonly kind: "private" | "group" | "import";
}

interface LogRow {
  readonly id: number;
  readonly chat: number;
  readonly place: number;
  readonly sender: number;
  readonly person: string;
  readonly name: string;
  readonly role: string;
  readonly text: string;
  readonly taint: string;
  readonly said_at: number;
}

/** The columns of a query of messages: they are `m`, and their senders `s`. */
export const logColumns = sql`m.id, m.chat, m.place, m.sender, s.person, s.name, m.role, m.text, m.taint, m.said_at`;

export async function readLogRows(db: Kysely<Database>, query: ReturnType<typeof sql>): Promise<readonly LogMessage[]> {
  const { rows } = await (query as ReturnType<typeof sql<LogRow>>).execute(db);
  return rows.map(({ name, person, role, said_at: saidAt, sender, taint, ...row }) => ({
    id: row.id,
    chat: row.chat,
    place: row.place,
    sender: { id: sender, person, name },
    role: role as LogMessage["role"],
    text: row.text,
    taint: taint as Taint,
    saidAt,
  }));
}

/** The chats that one of these may read, and those of these sessions. */
export async function findLogChats(
  db: Kysely<Database>,
  given: {
    readonly readers?: readonly string[];
    readonly sessions?: readonly string[];
    /** Only groups where the reader spoke since then, milliseconds since 1970. */
    readonly spokenSince?: number;
  },
): Promise<readonly LogChat[]> {
  const { readers = [], sessions = [], spokenSince = 0 } = given;
  if (readers.length === 0 && sessions.length === 0) return [];
  const spoke = sql<boolean>`(exists (select 1 from log_chats c where c.id = log_readers.chat and c.kind <> 'group')
    or exists (select 1 from log_senders s join log_messages m on m.sender = s.id and m.chat = log_readers.chat
      where s.person = log_readers.person and m.place >= ${toPlace(spokenSince)} and m.key not like 'import:%'))`;
  const readable = db
    .selectFrom("log_readers")
    .select("chat")
    .where("left_at", "is", null)
    .where("person", "in", readers.length === 0 ? [""] : readers)
    .$if(spokenSince > 0, (query) => query.where(spoke));
  const rows = await db
    .selectFrom("log_chats")
    .select(["id", "session", "name", "kind"])
    .where((row) =>
      row.or([row("id", "in", readable), ...(sessions.length === 0 ? [] : [row("session", "in", sessions)])]),
    )
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as LogChat["kind"] }));
}

/**
 * The messages with these numbers in these chats, with the given count of the same chat before and after each; oldest
 * first, each once.
 */
export async function readLogMessages(
  db: Kysely<Database>,
  chats: readonly number[],
  ids: readonly number[],
  { after = 0, before = 0 }: { readonly before?: number; readonly after?: number } = {},
): Promise<readonly LogMessage[]> {
  if (chats.length === 0 || ids.length === 0) return [];
  const of = sql`select ${logColumns} from log_messages m join log_senders s on s.id = m.sender where`;
  const found = await readLogRows(db, sql`${of} m.chat in (${sql.join(chats)}) and m.id in (${sql.join(ids)})`);
  const all = new Map(found.map((message) => [message.id, message]));
  for (const { chat, place } of found) {
    const earlier = sql`${of} m.chat = ${chat} and m.place < ${place} order by m.place desc limit ${before}`;
    const later = sql`${of} m.chat = ${chat} and m.place > ${place} order by m.place limit ${after}`;
    const around = [
      ...(before > 0 ? await readLogRows(db, earlier) : []),
      ...(after > 0 ? await readLogRows(db, later) : []),
    ];
    for (const message of around) all.set(message.id, message);
  }
  return [...all.values()].toSorted((a, b) => a.place - b.place);
}

/** Deletes a message that its author withdrew. */
export async function withdrawFromLog(db: Kysely<Database>, session: string, message: string): Promise<void> {
  await db
    .deleteFrom("log_messages")
    .where("chat", "in", db.selectFrom("log_chats").select("id").where("session", "=", session))
    .where("key", "=", message)
    .execute();
}
