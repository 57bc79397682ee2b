import { sql, type Kysely, type SelectQueryBuilder } from "kysely";
import type { Database } from "../schema/database.ts";
import { removalPayload } from "./outbox.ts";

/** A message that the platform did not take. */
export interface DeadLetter {
  readonly seq: number;
  readonly id: string;
  readonly session: string;
  /** JSON of an OutboundMessage. */
  readonly payload: string;
  readonly reason: string;
  readonly createdAt: number;
  readonly attempts: number;
  /** Parts of it are in the chat. */
  readonly isPartlySent: boolean;
}

const droppedReason = "dropped";

/** Superseded rows were never meant to be sent, and dropped ones were seen to. */
const onlyDead = <T>(query: SelectQueryBuilder<Database, "outbox", T>) =>
  query
    .where("state", "=", "dead")
    .where("payload", "!=", removalPayload)
    .where((row) => row.or([row("reason", "is", null), row("reason", "not in", ["superseded", droppedReason])]));

/** The newest first; `before` = the seq of the last one of the page before. */
export async function listDeadLetters(
  db: Kysely<Database>,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly DeadLetter[]> {
  let query = onlyDead(db.selectFrom("outbox").selectAll());
  if (before !== undefined) query = query.where("seq", "<", before);
  const rows = await query.orderBy("seq", "desc").limit(limit).execute();
  return rows.map((row) => ({
    seq: row.seq,
    id: row.id,
    session: row.session,
    payload: row.payload,
    reason: row.reason ?? "",
    createdAt: row.created_at,
    attempts: row.attempts,
    isPartlySent: row.sent_parts !== "[]",
  }));
}

export async function findDeadLetter(
  db: Kysely<Database>,
  id: string,
): Promise<{ readonly payload: string; readonly session: string } | undefined> {
  return onlyDead(db.selectFrom("outbox").select(["payload", "session"]))
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Sends it again, behind what waits in its chat; the parts that are out stay out. False when it is not dead any more. */
export async function reviveDeadLetter(db: Kysely<Database>, id: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable("outbox")
    .set({
      state: "pending",
      attempts: 0,
      not_before: 0,
      reason: null,
      sent_at: null,
      // Its age decides when it is given up.
      created_at: now,
      place: sql<number>`(select coalesce(max(waiting.place), 0) + 1 from outbox as waiting
        where waiting.session = outbox.session and waiting.state = 'pending')`,
    })
    .where("id", "=", id)
    .where("state", "=", "dead")
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** It is not shown any more. */
export async function dropDeadLetter(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ reason: droppedReason })
    .where("id", "=", id)
    .where("state", "=", "dead")
    .execute();
}

export interface QueueCounts {
  /** Events of people and own jobs that have not begun. */
  readonly waiting: number;
  readonly running: number;
  /** Kept while everything is paused. */
  readonly kept: number;
  /** Messages that have not been sent yet. */
  readonly unsent: number;
  /** The time of the oldest of these. */
  readonly oldestUnsent: number | undefined;
  /** Events that were put aside, since they failed again and again. */
  readonly putAside: number;
}

export async function countQueues(db: Kysely<Database>): Promise<QueueCounts> {
  const inbox = await db
    .selectFrom("inbox")
    .select((row) => ["state", row.fn.countAll().as("count")])
    .where("state", "!=", "done")
    .groupBy("state")
    .execute();
  const { count, oldest } = await db
    .selectFrom("outbox")
    .select((row) => [row.fn.countAll().as("count"), row.fn.min("created_at").as("oldest")])
    .where("state", "=", "pending")
    .executeTakeFirstOrThrow();
  const counted = (...states: readonly string[]) =>
    inbox.filter(({ state }) => states.includes(state)).reduce((sum, row) => sum + Number(row.count), 0);
  return {
    waiting: counted("received", "queued"),
    running: counted("running"),
    kept: counted("kept"),
    unsent: Number(count),
    oldestUnsent: oldest ?? undefined,
    putAside: counted("dead"),
  };
}
