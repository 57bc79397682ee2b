import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

/** The names that platforms gave these chats. */
export async function listLogChatNames(
  db: Kysely<Database>,
  sessions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (sessions.length === 0) return new Map();
  const rows = await db
    .selectFrom("log_chats")
    .select(["session", "name"])
    .where("session", "in", sessions)
    .where("name", "<>", "")
    .execute();
  return new Map(rows.map(({ name, session }) => [session ?? "", name]));
}

/** The last new name that each of these people used. */
export async function listLogSenderNames(
  db: Kysely<Database>,
  people: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (people.length === 0) return new Map();
  const rows = await db
    .selectFrom("log_senders")
    .select(["person", "name"])
    .where("person", "in", people)
    .orderBy("id")
    .execute();
  return new Map(rows.map(({ name, person }) => [person, name]));
}

/** The conversations whose chat, or whose only person, has a name with these letters. */
export async function findSessionsNamed(db: Kysely<Database>, text: string, limit: number): Promise<readonly string[]> {
  const like = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await sql<{ session: string }>`select session from log_chats
    where session is not null and lower(name) like ${like} escape '\\' order by id desc limit ${limit}`.execute(db);
  return rows.map(({ session }) => session);
}

/** When the oldest message of the log was said; undefined while there is none. */
export async function findLogStart(db: Kysely<Database>): Promise<number | undefined> {
  const row = await db.selectFrom("log_messages").select("said_at").orderBy("place").limit(1).executeTakeFirst();
  return row?.said_at;
}

/** When the newest message of each of these chats was said, and the message: people may talk without calling her. */
export async function listLastHeard(
  db: Kysely<Database>,
  sessions: readonly string[],
): Promise<ReadonlyMap<string, { readonly at: number; readonly name: string; readonly text: string }>> {
  const heard = new Map<string, { readonly at: number; readonly name: string; readonly text: string }>();
  for (const session of sessions) {
    const row = await db
      .selectFrom("log_chats")
      .innerJoin("log_messages", "log_messages.chat", "log_chats.id")
      .innerJoin("log_senders", "log_senders.id", "log_messages.sender")
      .select(["log_messages.said_at as at", "log_senders.name", "log_messages.text"])
      .where("log_chats.session", "=", session)
      .orderBy("log_messages.place", "desc")
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) heard.set(session, row);
  }
  return heard;
}
