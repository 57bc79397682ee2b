import { sql, type Kysely, type Selectable } from "kysely";
import { compileOnce } from "../statements/compile-once.ts";
import type { Database } from "../schema/database.ts";

type OutboxState = "live" | "pending" | "sent" | "dead";

export interface OutboxItem {
  readonly seq: number;
  readonly id: string;
  readonly session: string;
  readonly turn: string | null;
  readonly cause: string | null;
  readonly state: OutboxState;
  /** JSON; kernel/outbox/outbox.ts has its shape. */
  readonly payload: string;
  readonly sentParts: readonly string[];
  readonly preview: string | null;
  readonly attempts: number;
  readonly notBefore: number;
  /** Why it was put off, or given up. */
  readonly reason: string | null;
  readonly createdAt: number;
}

function toItem(row: Selectable<Database["outbox"]>): OutboxItem {
  return {
    seq: row.seq,
    id: row.id,
    session: row.session,
    turn: row.turn,
    cause: row.cause,
    state: row.state as OutboxState,
    payload: row.payload,
    sentParts: JSON.parse(row.sent_parts) as string[],
    preview: row.preview,
    attempts: row.attempts,
    notBefore: row.not_before,
    reason: row.reason,
    createdAt: row.created_at,
  };
}

export interface NewOutboxItem {
  readonly id: string;
  readonly session: string;
  readonly turn: string | null;
  readonly cause: string | null;
  readonly state: "live" | "pending";
  readonly payload: string;
  readonly now: number;
}

/** Adds a message, or gives a live one its final text and sends it off. A message that is out already stays as it is. */
export async function saveOutboxItem(db: Kysely<Database>, item: NewOutboxItem): Promise<void> {
  const { id, session, turn, cause, state, payload, now } = item;
  await upsertItem(db, { id, session, turn, cause, state, payload, now });
}

type ItemColumns = Pick<NewOutboxItem, "id" | "session" | "turn" | "cause" | "state" | "payload" | "now">;

const upsertItem = compileOnce((db, item: ItemColumns) =>
  db
    .insertInto("outbox")
    .values({
      id: item.id,
      session: item.session,
      turn: item.turn,
      cause: item.cause,
      state: item.state,
      payload: item.payload,
      place: sql<number>`(select coalesce(max(place), 0) + 1 from outbox where session = ${item.session} and state = 'pending')`,
      sent_parts: "[]",
      preview: null,
      attempts: 0,
      not_before: 0,
      reason: null,
      created_at: item.now,
      sent_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ state: item.state, payload: item.payload, place: (row) => row.ref("excluded.place") })
        .where("outbox.state", "=", "live"),
    )
    .returning("preview"),
);

/**
 * The row of a message that shows a running turn, there before anything of it is shown. Answers the platform's id of
 * what is shown of it already; undefined when the message is settled.
 */
export async function saveLiveItem(
  db: Kysely<Database>,
  { id, session, turn, cause, now }: Omit<NewOutboxItem, "state" | "payload">,
): Promise<string | null | undefined> {
  const rows = await upsertItem(db, { id, session, turn, cause, state: "live", payload: "{}", now });
  return rows[0]?.preview;
}

const selectItem = compileOnce((db, { id }: { readonly id: string }) =>
  db.selectFrom("outbox").selectAll().where("id", "=", id),
);

export async function findOutboxItem(db: Kysely<Database>, id: string): Promise<OutboxItem | undefined> {
  const [row] = await selectItem(db, { id });
  return row && toItem(row);
}

/** The cause of the message that shows a running turn; undefined when no message shows it. */
export async function findLiveCause(db: Kysely<Database>, turn: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("outbox")
    .select("cause")
    .where("turn", "=", turn)
    .where("state", "=", "live")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.cause ?? undefined;
}

const selectNext = compileOnce((db, { session }: { readonly session: string }) =>
  db
    .selectFrom("outbox")
    .selectAll()
    .where("session", "=", session)
    .where("state", "=", "pending")
    .orderBy("place")
    .orderBy("seq")
    .limit(1),
);

/** The oldest message of a session that waits to be sent. */
export async function findNextOutboxItem(db: Kysely<Database>, session: string): Promise<OutboxItem | undefined> {
  const [row] = await selectNext(db, { session });
  return row && toItem(row);
}

export async function listSessionsWithOutbox(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom("outbox").select("session").distinct().where("state", "=", "pending").execute();
  return rows.map((row) => row.session);
}

export async function setOutboxPreview(db: Kysely<Database>, id: string, preview: string): Promise<void> {
  await db.updateTable("outbox").set({ preview }).where("id", "=", id).where("preview", "is", null).execute();
}

/** Which parts are out, so that a crash goes on after them. */
export async function recordSentParts(db: Kysely<Database>, item: Pick<OutboxItem, "id" | "sentParts">): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ sent_parts: JSON.stringify(item.sentParts) })
    .where("id", "=", item.id)
    .execute();
}

/** A message's place on a platform. */
interface MessagePlace {
  readonly platform: string;
  readonly account: string;
  readonly chat: string;
  readonly messageId: string;
}

/** Whether a message of the platform is written down as one that an outbox row of that chat was sent as. */
export async function isSentMessage(db: Kysely<Database>, of: MessagePlace): Promise<boolean> {
  return (await findSentMessage(db, of)) !== undefined;
}

/** The outbox row that a message of the platform was sent as. */
export async function findSentMessage(
  db: Kysely<Database>,
  of: MessagePlace,
): Promise<Pick<OutboxItem, "turn" | "payload"> | undefined> {
  return db
    .selectFrom("outbox")
    .innerJoin("sessions", "sessions.id", "outbox.session")
    .select(["outbox.turn", "outbox.payload"])
    .where("sessions.platform", "=", of.platform)
    .where("sessions.account", "=", of.account)
    .where("sessions.chat", "=", of.chat)
    .where("outbox.sent_parts", "like", `%${JSON.stringify(of.messageId)}%`)
    .limit(1)
    .executeTakeFirst();
}

export async function finishOutboxItem(
  db: Kysely<Database>,
  id: string,
  state: "sent" | "dead",
  reason: string | null,
  now: number,
): Promise<void> {
  await db.updateTable("outbox").set({ state, reason, sent_at: now }).where("id", "=", id).execute();
}

/** Every part of a message is out. */
export async function finishSentItem(
  db: Kysely<Database>,
  { id, sentParts }: Pick<OutboxItem, "id" | "sentParts">,
  now: number,
): Promise<void> {
  await updateSent(db, { id, parts: JSON.stringify(sentParts), now });
}

const updateSent = compileOnce(
  (db, { id, parts, now }: { readonly id: string; readonly parts: string; readonly now: number }) =>
    db.updateTable("outbox").set({ sent_parts: parts, state: "sent", reason: null, sent_at: now }).where("id", "=", id),
);

/** Says when the next try may be, and which that is. */
export async function delayOutboxItem(
  db: Kysely<Database>,
  { id, ...delay }: Pick<OutboxItem, "id" | "attempts" | "notBefore" | "reason">,
): Promise<void> {
  const { attempts, notBefore, reason } = delay;
  await db.updateTable("outbox").set({ attempts, not_before: notBefore, reason }).where("id", "=", id).execute();
}

/** An account is connected again, so its messages need not wait any more. Answers their sessions. */
export async function hastenOutboxOf(
  db: Kysely<Database>,
  of: { readonly platform: string; readonly account: string },
): Promise<readonly string[]> {
  const sessions = db
    .selectFrom("sessions")
    .select("id")
    .where("platform", "=", of.platform)
    .where("account", "=", of.account);
  const rows = await db
    .updateTable("outbox")
    .set({ not_before: 0 })
    .where("state", "=", "pending")
    .where("session", "in", sessions)
    .returning("session")
    .execute();
  return [...new Set(rows.map(({ session }) => session))];
}

/** The payload of a row whose message was shown and is to be taken back. */
export const removalPayload = JSON.stringify({ kind: "removal" });

/** A shown part must not stay in the chat; a part that was not shown needs nothing. */
function supersede(now: number) {
  return {
    state: sql<string>`case when preview is null then 'dead' else 'pending' end`,
    payload: sql<string>`case when preview is null then payload else ${removalPayload} end`,
    reason: "superseded",
    sent_at: now,
  };
}

/** A live message whose turn ended without a reply of its own. */
export async function dropLiveOutboxItem(db: Kysely<Database>, id: string, now: number): Promise<void> {
  await db.updateTable("outbox").set(supersede(now)).where("id", "=", id).where("state", "=", "live").execute();
}

/** Every live message of a turn but the one that its end goes into. */
export async function dropOtherLiveItems(db: Kysely<Database>, turn: string, kept: string, now: number): Promise<void> {
  await updateSuperseded(db, { turn, kept, now });
}

const updateSuperseded = compileOnce(
  (db, { turn, kept, now }: { readonly turn: string; readonly kept: string; readonly now: number }) =>
    db
      .updateTable("outbox")
      .set(supersede(now))
      .where("turn", "=", turn)
      .where("id", "!=", kept)
      .where("state", "=", "live"),
);

/** Live messages whose turn has ended: a crash came between the two. */
export async function dropStrayLiveItems(db: Kysely<Database>, now: number): Promise<void> {
  await db
    .updateTable("outbox")
    .set(supersede(now))
    .where("state", "=", "live")
    .where("turn", "in", (select) => select.selectFrom("turns").select("id").where("state", "=", "ended"))
    .execute();
}

/** The live message that showed a turn's tasks, named by the start of its id. */
export async function dropLiveItemsNamed(
  db: Kysely<Database>,
  turn: string,
  prefix: string,
  now: number,
): Promise<void> {
  const rows = await db
    .selectFrom("outbox")
    .select("id")
    .where("turn", "=", turn)
    .where("state", "=", "live")
    .execute();
  for (const { id } of rows) if (id.startsWith(prefix)) await dropLiveOutboxItem(db, id, now);
}
