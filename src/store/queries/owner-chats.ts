import { sql, type Kysely } from "kysely";
import type { Database } from "../schema.ts";
import type { SessionRow } from "./sessions.ts";

/**
 * The private chats of these people and of the owners that the store knows. A private chat is named by its person, on QQ with
 * `private:` before it; a terminal is not there to be told.
 */
export async function listPrivateChats(db: Kysely<Database>, people: readonly string[]): Promise<SessionRow[]> {
  const stored = await db.selectFrom("people").select("id").where("role", "=", "owner").execute();
  const owners = [...new Set([...people, ...stored.map(({ id }) => id)])];
  if (owners.length === 0) return [];
  return db
    .selectFrom("sessions")
    .selectAll()
    .where("chat_kind", "=", "private")
    .where("thread", "is", null)
    .where("platform", "!=", "cli")
    .where(sql<string>`platform || ':' || replace(chat, 'private:', '')`, "in", owners)
    .orderBy("id")
    .execute();
}
