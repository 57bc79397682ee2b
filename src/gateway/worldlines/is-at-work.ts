import type { Kysely } from "kysely";
import { listUnfinishedInbox } from "../../store/queries/inbox.ts";
import { listTurns } from "../../store/queries/turns.ts";
import type { Database } from "../../store/schema/database.ts";

/**
 * Whether something goes on in a session that would write to another line than it began on: a turn or a sub-agent at work,
 * what came before the command `seq` and is not over, and what was given to the lane for an answer or a sub-agent's end. A lane
 * that only tidies up after a reply is at nothing.
 */
export async function isAtWork(db: Kysely<Database>, session: string, seq: number): Promise<boolean> {
  if ((await listTurns(db, ["running"], session)).length > 0) return true;
  const unfinished = await listUnfinishedInbox(db, session);
  return unfinished.some((row) => row.seq < seq || row.kind === "resume" || row.kind === "report");
}
