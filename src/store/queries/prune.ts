import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/**
 * Removes what was finished before `before` and is needed for nothing any more. Platforms repeat an event for a day at
 * the most, so its key is not needed longer than that either; the conversation and the audit stay.
 */
export async function pruneFinished(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom("inbox").where("state", "in", ["done", "dead"]).where("finished_at", "<", before).execute();
  await db.deleteFrom("outbox").where("state", "in", ["sent", "dead"]).where("sent_at", "<", before).execute();
  await db.deleteFrom("passive_replies").where("created_at", "<", before).execute();
  await db.deleteFrom("overheard").where("said_at", "<", before).execute();
  await db.deleteFrom("fact_sources").where("said_at", "<", before).execute();
  await db.deleteFrom("reactions").where("noted_at", "<", before).execute();
  await db.deleteFrom("steered_messages").where("created_at", "<", before).execute();
  await db.deleteFrom("previews").where("started_at", "<", before).execute();
  await db.deleteFrom("tool_ledger").where("state", "=", "done").where("finished_at", "<", before).execute();
  await db.deleteFrom("reminders").where("next_due", "is", null).where("updated_at", "<", before).execute();
  const ended = db.selectFrom("turns").select("id").where("state", "=", "ended");
  await db.deleteFrom("decisions").where("turn", "in", ended).where("created_at", "<", before).execute();
}
