import { sql, type Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** A message that came by the API. */
export interface KnownRequest {
  readonly id: string;
  readonly eventKey: string;
  /** JSON of the event. */
  readonly payload: string;
}

/** The newest message of a conversation that came by the API. */
export async function findNewestRequest(db: Kysely<Database>, session: string): Promise<KnownRequest | undefined> {
  const row = await db
    .selectFrom("inbox")
    .select(["id", "event_key", "payload"])
    // As written in the index; otherwise the index is not used.
    .where("platform", "=", sql.lit("api"))
    .where("session", "=", session)
    .where("kind", "=", "message")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { id: row.id, eventKey: row.event_key, payload: row.payload };
}

/** The newest whose key is `<fingerprint>.…`, and that came since then. */
export async function findRequestLike(
  db: Kysely<Database>,
  of: {
    readonly account: string;
    readonly session: string;
    readonly fingerprint: string;
    readonly since: number;
  },
): Promise<KnownRequest | undefined> {
  const rows = await db
    .selectFrom("inbox")
    .select(["id", "seq", "event_key", "payload"])
    // The index of keys has these three; after a full stop comes a slash.
    .where("platform", "=", "api")
    .where("account", "=", of.account)
    .where("event_key", ">=", `${of.fingerprint}.`)
    .where("event_key", "<", `${of.fingerprint}/`)
    .where("session", "=", of.session)
    // A job that it led to has a key that begins like its own.
    .where("kind", "=", "message")
    .where("created_at", ">=", of.since)
    .execute();
  const row = rows.toSorted((a, b) => a.seq - b.seq).at(-1);
  return row && { id: row.id, eventKey: row.event_key, payload: row.payload };
}

/** Payloads of the messages that were sent because of an inbox row, in order. */
export async function listSentFor(db: Kysely<Database>, session: string, cause: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("outbox")
    .select("payload")
    .where("session", "=", session)
    .where("state", "=", "sent")
    .where("cause", "=", cause)
    .orderBy("place")
    .orderBy("seq")
    .execute();
  return rows.map(({ payload }) => payload);
}

/**
 * Messages that were sent wait again, before all others of their chat: no client received them. Answers which ones do.
 */
export async function putBackSent(db: Kysely<Database>, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await db
    .updateTable("outbox")
    .set({ state: "pending", place: 0, sent_parts: "[]", sent_at: null })
    .where("id", "in", ids)
    .where("state", "=", "sent")
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Causes of the messages of a session that could be sent now. */
export async function listPendingCauses(
  db: Kysely<Database>,
  session: string,
  now: number,
): Promise<readonly (string | null)[]> {
  const rows = await db
    .selectFrom("outbox")
    .select("cause")
    .where("session", "=", session)
    .where("state", "=", "pending")
    .where("not_before", "<=", now)
    .execute();
  return rows.map(({ cause }) => cause);
}

/** Payloads of everything that came by the API, or that it led to, and that is not done. */
export async function listOpenPayloads(db: Kysely<Database>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("inbox")
    .select("payload")
    .where("state", "in", ["received", "queued", "running", "kept"])
    .where("platform", "=", "api")
    .execute();
  return rows.map(({ payload }) => payload);
}

/** Whether an answer to an inbox row is in progress: the row itself, a job it led to, or a turn. */
export async function isAnswerAtWork(db: Kysely<Database>, session: string, cause: string): Promise<boolean> {
  // It is asked often: the payload of a message is not read, it may be long.
  const open = db
    .selectFrom("inbox")
    .where("session", "=", session)
    .where("state", "in", ["received", "queued", "running"]);
  const own = await open.select("id").where("id", "=", cause).limit(1).executeTakeFirst();
  if (own) return true;
  const jobs = await open.select("payload").where("kind", "!=", "message").execute();
  if (jobs.some(({ payload }) => (JSON.parse(payload) as { readonly cause?: string }).cause === cause)) return true;
  const turn = await db
    .selectFrom("turns")
    .select("id")
    .where("session", "=", session)
    .where("cause", "=", cause)
    .where((turns) =>
      turns.or([
        turns("state", "=", "running"),
        turns.and([turns("state", "=", "parked"), turns("waiting", "is not", null)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return turn !== undefined;
}

/** Whether a turn of the session is running. */
export async function hasTurnAtWork(db: Kysely<Database>, session: string): Promise<boolean> {
  const turn = await db
    .selectFrom("turns")
    .select("id")
    .where("state", "=", "running")
    .where("session", "=", session)
    .limit(1)
    .executeTakeFirst();
  return turn !== undefined;
}
