import { sql, type Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

type PassiveReplyState = "started" | "sent" | "failed" | "held";

/** A reply of the official QQ bot that was begun. */
export interface PassiveReply {
  readonly account: string;
  readonly trigger: string;
  readonly seq: number;
  readonly state: PassiveReplyState;
  readonly message: string | null;
}

interface PartOfOutbox {
  readonly outbox: string;
  readonly part: number;
}

/** The newest try at one part of a message; undefined when there was none, or each was refused. */
export async function findPassiveReply(
  db: Kysely<Database>,
  { outbox, part }: PartOfOutbox,
): Promise<PassiveReply | undefined> {
  const row = await db
    .selectFrom("passive_replies")
    .select(["account", "trigger", "seq", "state", "message"])
    .where("outbox", "=", outbox)
    .where("part", "=", part)
    .where("state", "!=", "failed")
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, state: row.state as PassiveReplyState };
}

/** How many replies an event has got, and the highest sequence number that was tried on it. */
export interface RepliesSoFar {
  readonly trigger: string;
  readonly count: number;
  readonly lastSeq: number;
}

export async function countPassiveReplies(
  db: Kysely<Database>,
  account: string,
  triggers: readonly string[],
): Promise<readonly RepliesSoFar[]> {
  if (triggers.length === 0) return [];
  const rows = await db
    .selectFrom("passive_replies")
    .select((of) => [
      "trigger",
      of.fn.sum<number | string>(of.case().when("state", "!=", "failed").then(1).else(0).end()).as("count"),
      of.fn.max("seq").as("lastSeq"),
    ])
    .where("account", "=", account)
    .where("trigger", "in", triggers)
    .groupBy("trigger")
    .execute();
  return rows.map(({ trigger, count, lastSeq }) => ({ trigger, count: Number(count), lastSeq }));
}

/** False when that sequence number is taken. */
export async function beginPassiveReply(
  db: Kysely<Database>,
  reply: PartOfOutbox & {
    readonly account: string;
    readonly session: string;
    readonly trigger: string;
    readonly seq: number;
    readonly now: number;
  },
): Promise<boolean> {
  const { now, ...row } = reply;
  const done = await db
    .insertInto("passive_replies")
    .values({ ...row, state: "started", message: null, reference: null, text: null, created_at: now })
    .onConflict((conflict) => conflict.columns(["account", "trigger", "seq"]).doNothing())
    .executeTakeFirst();
  return Number(done.numInsertedOrUpdatedRows ?? 0) > 0;
}

/** A message that answered nothing: quotes of it must be known too. */
export async function recordUnaskedMessage(
  db: Kysely<Database>,
  of: PartOfOutbox & {
    readonly account: string;
    readonly session: string;
    readonly message: string;
    readonly reference: string | null;
    readonly now: number;
  },
): Promise<void> {
  const { now, ...row } = of;
  await db
    .insertInto("passive_replies")
    .values({ ...row, trigger: `sent:${of.message}`, seq: 0, state: "sent", text: null, created_at: now })
    .onConflict((conflict) => conflict.columns(["account", "trigger", "seq"]).doNothing())
    .execute();
}

type Key = Pick<PassiveReply, "account" | "trigger" | "seq">;

export async function endPassiveReply(
  db: Kysely<Database>,
  { account, trigger, seq }: Key,
  end:
    | { readonly state: "failed" }
    | { readonly state: "sent"; readonly message: string; readonly reference: string | null },
): Promise<void> {
  await db
    .updateTable("passive_replies")
    .set(end)
    .where("account", "=", account)
    .where("trigger", "=", trigger)
    .where("seq", "=", seq)
    .execute();
}

/** Keeps a text that has no reply left, until the next message to its chat takes it along. */
export async function holdText(
  db: Kysely<Database>,
  held: PartOfOutbox & {
    readonly account: string;
    readonly session: string;
    readonly text: string;
    readonly now: number;
  },
): Promise<void> {
  const { now, ...row } = held;
  const trigger = `held:${row.outbox}:${row.part}`;
  await db
    .insertInto("passive_replies")
    .values({ ...row, trigger, seq: 0, state: "held", message: null, reference: null, created_at: now })
    .onConflict((conflict) => conflict.columns(["account", "trigger", "seq"]).doNothing())
    .execute();
}

/** In the order they were held. */
export async function listHeldTexts(
  db: Kysely<Database>,
  session: string,
): Promise<readonly (Key & { readonly text: string })[]> {
  const rows = await db
    .selectFrom("passive_replies")
    .select(["account", "trigger", "seq", "text"])
    .where("session", "=", session)
    .where("state", "=", "held")
    .orderBy("created_at")
    .orderBy("part")
    .execute();
  return rows.map((row) => ({ ...row, text: row.text ?? "" }));
}

/** The message that a quote names by its reference; undefined when it is not one of ours. */
export async function findReferredMessage(
  db: Kysely<Database>,
  account: string,
  reference: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("passive_replies")
    .select("message")
    .where("account", "=", account)
    .where("reference", "=", reference)
    .limit(1)
    .executeTakeFirst();
  return row?.message ?? undefined;
}

/** Messages and presses in a chat of the bot since then, the newest first: payload and time. */
export async function listAnswerableEvents(
  db: Kysely<Database>,
  session: string,
  since: number,
  limit: number,
): Promise<readonly { readonly payload: string; readonly createdAt: number }[]> {
  const rows = await db
    .selectFrom("inbox")
    .select(["payload", "created_at"])
    // As written in the index; otherwise the index is not used.
    .where("platform", "=", sql.lit("qqbot"))
    .where("session", "=", session)
    .where("kind", "in", ["message", "press", "chat"])
    .where("created_at", ">=", since)
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ payload, created_at }) => ({ payload, createdAt: created_at }));
}
