import type { Kysely } from "kysely";
import type { ConversationMessage } from "../../../core/conversation.ts";
import type { Database } from "../../../store/schema/database.ts";
import { findWholeSession } from "../../../store/queries/sessions.ts";
import { selectMessages } from "../../../store/queries/current-line.ts";

/** A person's words to her, or hers to people. */
interface Said {
  readonly message: Extract<ConversationMessage, { role: "user" | "assistant" }>;
  readonly turn: string | null;
  readonly at: number;
}

/** The talk in the conversation of a session since then, among its newest `limit` messages, oldest first. */
export async function listSaid(
  db: Kysely<Database>,
  session: string,
  { limit, since }: { readonly limit: number; readonly since: number },
): Promise<readonly Said[]> {
  const found = await findWholeSession(db, session);
  if (!found) return [];
  const { last_position: upTo, start_position: start } = found;
  const rows = await selectMessages(db, session, { from: Math.max(start, upTo - limit), upTo })
    .select(["messages.content", "messages.turn", "messages.created_at"])
    .where("messages.role", "in", ["user", "assistant"])
    .where("messages.created_at", ">=", since)
    .orderBy("messages.position")
    .execute();
  return rows.map((row) => ({
    message: JSON.parse(row.content) as Said["message"],
    turn: row.turn,
    at: row.created_at,
  }));
}
