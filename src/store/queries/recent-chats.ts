import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../schema/database.ts";

interface AccountAddress {
  readonly platform: string;
  readonly account: string;
}

/** A chat and when the last message kept of it was sent, by the platform's clock (milliseconds). */
interface KnownChat {
  readonly chat: string;
  /** Undefined when the inbox has no message of it any more. */
  readonly lastSentAt: number | undefined;
}

/** The chats of an account, those with the newest messages first. */
export async function listKnownChats(
  db: Kysely<Database>,
  { platform, account, limit }: AccountAddress & { readonly limit: number },
): Promise<KnownChat[]> {
  const rows = await db
    .with("newest", (query) =>
      query
        .selectFrom("inbox")
        .select((expression) => ["session", expression.fn.max("seq").as("seq")])
        .where("platform", "=", platform)
        .where("account", "=", account)
        .where("kind", "=", "message")
        .groupBy("session"),
    )
    .selectFrom("sessions")
    .leftJoin("newest", "newest.session", "sessions.id")
    .leftJoin("inbox", "inbox.seq", "newest.seq")
    .select(["sessions.chat", "inbox.payload"])
    .where("sessions.platform", "=", platform)
    .where("sessions.account", "=", account)
    .orderBy((expression) => expression.fn.coalesce("inbox.seq", expression.lit(0)), "desc")
    // Among chats without messages in the inbox, the one with the newest conversation.
    .orderBy((expression) => expression.fn.coalesce("sessions.head", expression.lit(0)), "desc")
    .orderBy("sessions.created_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ chat, payload }) => ({ chat, lastSentAt: payload === null ? undefined : readSentAt(payload) }));
}

/** Some implementations leave out the time, which comes as 0: from then on would be everything. */
const dated = z.object({ sentAt: z.number().positive() });

/** When the last message stored for an account was sent, by the platform's clock; undefined when there is none. */
export async function findLastMessageTime(
  db: Kysely<Database>,
  { platform, account }: AccountAddress,
): Promise<number | undefined> {
  const row = await db
    .selectFrom("inbox")
    .select("payload")
    .where("platform", "=", platform)
    .where("account", "=", account)
    .where("kind", "=", "message")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && readSentAt(row.payload);
}

function readSentAt(payload: string): number | undefined {
  return dated.safeParse(JSON.parse(payload)).data?.sentAt;
}
