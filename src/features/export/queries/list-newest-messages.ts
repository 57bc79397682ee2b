import type { Kysely } from "kysely";
import type { ConversationMessage } from "../../../core/conversation.ts";
import { selectMessages } from "../../../store/queries/current-line.ts";
import type { WholeSession } from "../../../store/queries/sessions.ts";
import type { Database } from "../../../store/schema/database.ts";

/** The newest messages of the current line of a session, newest first; also those from before the last new beginning. */
export async function listNewestMessages(
  db: Kysely<Database>,
  { id, last_position: upTo }: Pick<WholeSession, "id" | "last_position">,
  max: number,
): Promise<readonly { readonly message: ConversationMessage; readonly at: number }[]> {
  const rows = await selectMessages(db, id, { from: Math.max(0, upTo - max), upTo })
    .select(["messages.content", "messages.created_at"])
    .orderBy("messages.position", "desc")
    .execute();
  return rows.map((row) => ({ message: JSON.parse(row.content) as ConversationMessage, at: row.created_at }));
}
