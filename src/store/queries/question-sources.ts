import type { Kysely } from "kysely";
import type { ConversationMessage } from "../../core/conversation.ts";
import type { Database } from "../schema/database.ts";

/** The sources that a turn had read when it asked, from the record in the conversation. */
export async function findQuestionSources(db: Kysely<Database>, id: string): Promise<readonly string[]> {
  const row = await db
    .selectFrom("messages")
    .select("content")
    .where("question", "=", id)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return [];
  const message = JSON.parse(row.content) as ConversationMessage;
  return ("sources" in message ? message.sources : undefined) ?? [];
}
