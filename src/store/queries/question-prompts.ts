import type { Kysely } from "kysely";
import type { Database } from "../schema.ts";
import { readInboxWatermark } from "./inbox.ts";
import { lockSession } from "./sessions.ts";

/**
 * The prompt is out: bare words that come after this moment may count. The session's row is taken before the moment is
 * read: a message that is being stored right now has a number already, which nobody sees before it is committed.
 */
export async function markQuestionShown(
  db: Kysely<Database>,
  id: string,
  promptMessage: string,
  shownAt: number | null,
): Promise<void> {
  const question = await db
    .updateTable("questions")
    .set({ prompt_message: promptMessage, shown_at: shownAt })
    .where("id", "=", id)
    .where("prompt_message", "is", null)
    .returning("session")
    .executeTakeFirst();
  if (!question) return;
  await lockSession(db, question.session);
  const shownAfter = await readInboxWatermark(db);
  await db.updateTable("questions").set({ shown_after: shownAfter }).where("id", "=", id).execute();
}
