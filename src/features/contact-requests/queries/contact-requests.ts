import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

/**
 * open -> deciding, by compare-and-set -> accepted | declined | unclear. Back to open if the answer cannot have reached
 * the platform. expired = unanswered; failed = the platform does not take the answer.
 */
export type ContactRequestState = "open" | "deciding" | "accepted" | "declined" | "unclear" | "expired" | "failed";

export interface ContactRequest {
  readonly id: string;
  /** People name it by this. */
  readonly code: string;
  readonly platform: string;
  readonly account: string;
  /** The private chat, or the group it is about. */
  readonly chat: string;
  /** The platform's own user id. */
  readonly person: string;
  readonly kind: "friend" | "join" | "invitation";
  /** The platform's own reference. */
  readonly flag: string;
  /** One line, written by a stranger. */
  readonly comment: string;
  readonly state: ContactRequestState;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedBy: string | null;
  /** The inbox row of the answer. */
  readonly cause: string | null;
}

function toRequest(row: Selectable<Database["contact_requests"]>): ContactRequest {
  return {
    id: row.id,
    code: row.code,
    platform: row.platform,
    account: row.account,
    chat: row.chat,
    person: row.person,
    kind: row.kind as ContactRequest["kind"],
    flag: row.flag,
    comment: row.comment,
    state: row.state as ContactRequestState,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decidedBy: row.decided_by,
    cause: row.cause,
  };
}

export async function insertContactRequest(
  db: Kysely<Database>,
  request: Omit<ContactRequest, "state" | "decidedBy" | "cause">,
): Promise<void> {
  const { id, code, platform, account, chat, person, kind, flag, comment, createdAt, expiresAt } = request;
  await db
    .insertInto("contact_requests")
    .values({
      id,
      code,
      platform,
      account,
      chat,
      person,
      kind,
      flag,
      comment,
      state: "open",
      created_at: createdAt,
      expires_at: expiresAt,
      decided_by: null,
      cause: null,
    })
    .execute();
}

/** The same request again: the newer flag counts. Returns false if it is not open. */
export async function renewContactRequest(
  db: Kysely<Database>,
  same: Pick<ContactRequest, "platform" | "account" | "chat" | "person" | "kind" | "flag">,
): Promise<boolean> {
  const row = await db
    .updateTable("contact_requests")
    .set({ flag: same.flag })
    .where("state", "=", "open")
    .where("platform", "=", same.platform)
    .where("account", "=", same.account)
    .where("chat", "=", same.chat)
    .where("person", "=", same.person)
    .where("kind", "=", same.kind)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function listOpenContactRequests(db: Kysely<Database>): Promise<ContactRequest[]> {
  const rows = await db
    .selectFrom("contact_requests")
    .selectAll()
    .where("state", "=", "open")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toRequest);
}

/** Counts the requests since then, in any state. */
export async function countContactRequests(db: Kysely<Database>, since: number): Promise<number> {
  const row = await db
    .selectFrom("contact_requests")
    .select((expression) => expression.fn.countAll().as("count"))
    .where("created_at", ">", since)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** By its code the newest of that name. */
export async function findContactRequest(
  db: Kysely<Database>,
  by: { readonly id: string } | { readonly code: string },
): Promise<ContactRequest | undefined> {
  let query = db.selectFrom("contact_requests").selectAll();
  query = "id" in by ? query.where("id", "=", by.id) : query.where("code", "=", by.code);
  const row = await query.orderBy("created_at", "desc").limit(1).executeTakeFirst();
  return row && toRequest(row);
}

/** An answer's decision from before this process died, without a known result. */
export async function findUnsettledRequest(db: Kysely<Database>, cause: string): Promise<ContactRequest | undefined> {
  const row = await db
    .selectFrom("contact_requests")
    .selectAll()
    .where("cause", "=", cause)
    .where("state", "=", "deciding")
    .executeTakeFirst();
  return row && toRequest(row);
}

/** Takes an open one for this answer. Returns false if another answer was first, or if it has expired. */
export async function takeContactRequest(
  db: Kysely<Database>,
  answer: { readonly id: string; readonly by: string; readonly cause: string; readonly now: number },
): Promise<boolean> {
  const row = await db
    .updateTable("contact_requests")
    .set({ state: "deciding", decided_by: answer.by, cause: answer.cause })
    .where("id", "=", answer.id)
    .where("state", "=", "open")
    .where("expires_at", ">", answer.now)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function settleContactRequest(
  db: Kysely<Database>,
  id: string,
  state: Exclude<ContactRequestState, "deciding">,
): Promise<void> {
  await db
    .updateTable("contact_requests")
    .set(state === "open" ? { state, decided_by: null, cause: null } : { state })
    .where("id", "=", id)
    .where("state", "=", "deciding")
    .execute();
}

/** Ends the requests that have expired. */
export async function expireContactRequests(db: Kysely<Database>, now: number): Promise<ContactRequest[]> {
  const rows = await db
    .updateTable("contact_requests")
    .set({ state: "expired" })
    .where("state", "=", "open")
    .where("expires_at", "<=", now)
    .returningAll()
    .execute();
  return rows.map(toRequest);
}
