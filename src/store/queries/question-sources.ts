import type { Kysely } from "kysely";
import type { ConversationMessage } from "../../core/conversation.ts";
import type { Database } from "../schema/database.ts";

/** What the turn of a question had read when it asked, as the record of it in the conversation keeps it. */
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
