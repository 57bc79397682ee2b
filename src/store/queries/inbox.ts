import { sql, type Kysely, type Selectable } from "kysely";
import { compileOnce } from "../statements/compile-once.ts";
import type { Database } from "../schema/database.ts";

type InboxKind =
  | "message"
  | "press"
  | "reaction"
  | "recall"
  | "request"
  | "missed"
  | "chat"
  | "left"
  | "stop"
  | "resume"
  | "again"
  | "task"
  | "report"
  | "summary"
  | "facts"
  | "reminder"
  | "erase";
/** Rows of these kinds are worked on by features. */
const featureJobs: ReadonlySet<InboxKind> = new Set(["summary", "facts", "reminder", "erase"]);

export const isFeatureJob = ({ kind }: Pick<InboxItem, "kind">): boolean => featureJobs.has(kind);

export type InboxState = "received" | "queued" | "running" | "kept" | "done" | "dead";

export interface InboxItem {
  readonly seq: number;
  readonly id: string;
  readonly session: string;
  /** Account that asked, or that of its human when it is linked; null for a requester without a limit of turns. */
  readonly requester: string | null;
  readonly kind: InboxKind;
  readonly state: InboxState;
  /** JSON of the event or the job. */
  readonly payload: string;
  readonly attempts: number;
  readonly createdAt: number;
}

export interface NewInboxItem {
  readonly id: string;
  readonly platform: string;
  readonly account: string;
  readonly eventKey: string;
  readonly session: string;
  readonly requester?: string | null;
  readonly kind: InboxKind;
  readonly state: InboxState;
  readonly payload: string;
  readonly now: number;
}

function toItem(row: Selectable<Database["inbox"]>): InboxItem {
  return {
    seq: row.seq,
    id: row.id,
    session: row.session,
    requester: row.requester,
    kind: row.kind as InboxKind,
    state: row.state as InboxState,
    payload: row.payload,
    attempts: row.attempts,
    createdAt: row.created_at,
  };
}

/** Stores an event once. Answers undefined when it was there already. */
export async function insertInboxItem(db: Kysely<Database>, item: NewInboxItem): Promise<InboxItem | undefined> {
  const { id, platform, account, eventKey, session, requester = null, kind, payload, state, now } = item;
  const columns = { id, platform, account, eventKey, session, requester, kind, payload, state, now };
  const [row] = await insertOnce(db, columns);
  return row && toItem(row);
}

type InboxColumns = Omit<NewInboxItem, "requester"> & { readonly requester: string | null };

const insertOnce = compileOnce((db, item: Pick<InboxColumns, keyof InboxColumns>) =>
  db
    .insertInto("inbox")
    .values({
      id: item.id,
      platform: item.platform,
      account: item.account,
      event_key: item.eventKey,
      session: item.session,
      // Turns at the same time are counted for the human.
      requester: sql<string>`coalesce((select human from account_links
        where account = ${item.requester} and ended_at is null), ${item.requester})`,
      kind: item.kind,
      payload: item.payload,
      state: item.state,
      attempts: 0,
      created_at: item.now,
      finished_at: null,
    })
    .onConflict((conflict) => conflict.columns(["platform", "account", "event_key"]).doNothing())
    .returningAll(),
);

/** The jobs that we give ourselves come from this platform; their keys make each of them unique. */
const own = { platform: "kurisu", account: "local" };

/** The id of the row of one of our own jobs. */
export function nameOwnJob(eventKey: string): string {
  return `${own.platform}:${own.account}:${eventKey}`;
}

/** Adds a job of our own, once per key. Undefined when it was added before. */
export function insertOwnJob(
  db: Kysely<Database>,
  job: Pick<NewInboxItem, "eventKey" | "session" | "requester" | "kind" | "payload" | "now">,
): Promise<InboxItem | undefined> {
  return insertInboxItem(db, { ...own, ...job, id: nameOwnJob(job.eventKey), state: "queued" });
}

/** Rows that were accepted but not finished, in the order they came; `session` narrows it to one conversation. */
export async function listUnfinishedInbox(db: Kysely<Database>, session?: string): Promise<InboxItem[]> {
  let query = db.selectFrom("inbox").selectAll().where("state", "in", ["received", "queued", "running"]);
  if (session !== undefined) query = query.where("session", "=", session);
  return (await query.orderBy("seq").execute()).map(toItem);
}

export async function hasUnfinishedInbox(db: Kysely<Database>, session: string): Promise<boolean> {
  const row = await db
    .selectFrom("inbox")
    .select("seq")
    .where("state", "in", ["received", "queued", "running"])
    .where("session", "=", session)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Rows in these states that came before then, the oldest first. */
export function listWaitingInbox(
  db: Kysely<Database>,
  states: readonly InboxState[],
  before: number,
  maxRows: number,
): Promise<readonly Pick<InboxItem, "id" | "session">[]> {
  return db
    .selectFrom("inbox")
    .select(["id", "session"])
    .where("state", "in", states)
    .where("created_at", "<", before)
    .orderBy("seq")
    .limit(maxRows)
    .execute();
}

export async function setInboxState(db: Kysely<Database>, id: string, state: InboxState, now: number): Promise<void> {
  const finished = state === "done" || state === "dead";
  await updateState(db, { id, state, finishedAt: finished ? now : null });
}

const updateState = compileOnce(
  (
    db,
    { id, state, finishedAt }: { readonly id: string; readonly state: string; readonly finishedAt: number | null },
  ) => db.updateTable("inbox").set({ state, finished_at: finishedAt }).where("id", "=", id),
);

/** Whether a row is done with; the commit that said so may have come back as a fault. */
export async function isInboxItemFinished(db: Kysely<Database>, id: string): Promise<boolean> {
  const row = await db.selectFrom("inbox").select("state").where("id", "=", id).executeTakeFirst();
  return row?.state === "done" || row?.state === "dead";
}

/** Messages of a session that are not finished, or are among these rows: they are what a turn that lives began with. */
export async function listOpenMessages(
  db: Kysely<Database>,
  session: string,
  rows: readonly string[],
): Promise<InboxItem[]> {
  const found = await db
    .selectFrom("inbox")
    .selectAll()
    .where("session", "=", session)
    .where("kind", "in", ["message", "again"])
    .where((where) =>
      where.or([where("state", "in", ["received", "queued", "running", "kept"]), where("id", "in", [...rows, ""])]),
    )
    .orderBy("seq")
    .execute();
  return found.map(toItem);
}

/** Finishes a row whose work has not begun, also one that is kept. False when it has begun. */
export async function withdrawInboxItem(db: Kysely<Database>, id: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable("inbox")
    .set({ state: "done", finished_at: now })
    .where("id", "=", id)
    .where("state", "in", ["received", "queued", "kept"])
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** The work on a row begins. False when it was taken back in the meantime. */
export async function beginInboxItem(db: Kysely<Database>, id: string): Promise<boolean> {
  return (await beginRow(db, { id })).length > 0;
}

const beginRow = compileOnce((db, { id }: { readonly id: string }) =>
  db
    .updateTable("inbox")
    .set({ state: "running", finished_at: null })
    .where("id", "=", id)
    .where("state", "not in", ["done", "dead"])
    .returning("id"),
);

/** The work on a row goes on. */
export function setInboxRunning(db: Kysely<Database>, id: string): Promise<void> {
  return setInboxState(db, id, "running", 0);
}

/** The work on a row came to a fault of ours. Answers how often by now. */
export async function countInboxFault(db: Kysely<Database>, id: string): Promise<number> {
  const row = await db
    .updateTable("inbox")
    .set((expression) => ({ attempts: expression("attempts", "+", 1) }))
    .where("id", "=", id)
    .returning("attempts")
    .executeTakeFirst();
  return row?.attempts ?? 1;
}

/** The newest sequence number so far; what comes later came after this moment. */
export async function readInboxWatermark(db: Kysely<Database>): Promise<number> {
  const row = await db
    .selectFrom("inbox")
    .select((expression) => expression.fn.max("seq").as("seq"))
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** Finishes a row whose work has not begun. Undefined when it has, or there is no such row. */
export async function takeInboxItem(db: Kysely<Database>, id: string, now: number): Promise<InboxItem | undefined> {
  const row = await db
    .updateTable("inbox")
    .set({ state: "done", finished_at: now })
    .where("id", "=", id)
    .where("state", "in", ["received", "queued"])
    .returningAll()
    .executeTakeFirst();
  return row && toItem(row);
}

/** A received row becomes work with another payload. Undefined when it is not as it was received any more. */
export async function rewriteInboxItem(
  db: Kysely<Database>,
  id: string,
  payload: string,
): Promise<InboxItem | undefined> {
  const row = await db
    .updateTable("inbox")
    .set({ state: "queued", payload })
    .where("id", "=", id)
    .where("state", "=", "received")
    .returningAll()
    .executeTakeFirst();
  return row && toItem(row);
}

/** The received messages of a chat from this row on, with it, in the order they came. */
export async function listRowsFrom(db: Kysely<Database>, { session, seq }: InboxItem): Promise<InboxItem[]> {
  const rows = await db
    .selectFrom("inbox")
    .selectAll()
    .where("state", "=", "received")
    .where("session", "=", session)
    .where("seq", ">=", seq)
    .where("kind", "=", "message")
    .orderBy("seq")
    .execute();
  return rows.map(toItem);
}

/** The messages of a chat before this row, in any state, among the last `count` rows of all chats. */
export async function listRowsBefore(
  db: Kysely<Database>,
  { session, seq }: InboxItem,
  count: number,
): Promise<InboxItem[]> {
  const rows = await db
    .selectFrom("inbox")
    .selectAll()
    .where("seq", "<", seq)
    .where("seq", ">=", seq - count)
    .where("session", "=", session)
    .where("kind", "=", "message")
    .execute();
  return rows.map(toItem);
}

/** A received row takes others in: it gets their payload too, and they are done. In the caller's transaction. */
export async function mergeInboxItems(
  db: Kysely<Database>,
  { id, payload, others, now }: { id: string; payload: string; others: readonly string[]; now: number },
): Promise<void> {
  await db.updateTable("inbox").set({ payload }).where("id", "=", id).where("state", "=", "received").execute();
  if (others.length === 0) return;
  await db
    .updateTable("inbox")
    .set({ state: "done", finished_at: now })
    .where("id", "in", others)
    .where("state", "=", "received")
    .execute();
}

export async function findInboxItem(db: Kysely<Database>, id: string): Promise<InboxItem | undefined> {
  const row = await db.selectFrom("inbox").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toItem(row);
}

/** The reminders without a task that are due in a session and not yet delivered, in the order they came. */
export async function listRemindersToTell(db: Kysely<Database>, session: string): Promise<InboxItem[]> {
  const rows = await db
    .selectFrom("inbox")
    .selectAll()
    .where("state", "=", "queued")
    .where("session", "=", session)
    .where("kind", "=", "reminder")
    .where("requester", "is", null)
    .orderBy("seq")
    .execute();
  return rows.map(toItem);
}

/** The scheduled tasks of all people that came due since then, in the order they came. */
export function listTasksDueSince(
  db: Kysely<Database>,
  since: number,
): Promise<readonly { readonly seq: number; readonly requester: string | null }[]> {
  return (
    db
      .selectFrom("inbox")
      .select(["seq", "requester"])
      // As written in the index of reminders; otherwise the index is not used.
      .where("kind", "=", sql.lit("reminder"))
      .where("created_at", ">=", since)
      .where("requester", "is not", null)
      .orderBy("seq")
      .execute()
  );
}
