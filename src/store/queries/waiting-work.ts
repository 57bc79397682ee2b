import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** Messages that came before `before` and that no process has begun. */
export interface WaitingWork {
  readonly conversations: number;
  /** When the oldest of them came; undefined when there is none. */
  readonly since: number | undefined;
}

/** A message in progress does not wait; those behind it in its conversation do. */
export async function measureWaiting(db: Kysely<Database>, before: number): Promise<WaitingWork> {
  const row = await db
    .selectFrom("inbox")
    .select(({ fn }) => [fn.count<number>("session").distinct().as("conversations"), fn.min("created_at").as("since")])
    .where("state", "in", ["received", "queued"])
    .where("created_at", "<", before)
    .executeTakeFirstOrThrow();
  return { conversations: row.conversations, since: row.since ?? undefined };
}

/** Messages that are to be sent and are not out yet. */
export async function countPendingOutbox(db: Kysely<Database>): Promise<number> {
  const row = await db
    .selectFrom("outbox")
    .select(({ fn }) => fn.countAll<number>().as("pending"))
    .where("state", "=", "pending")
    .executeTakeFirstOrThrow();
  return row.pending;
}
