import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../schema.ts";

interface AccountAddress {
  readonly platform: string;
  readonly account: string;
}

/** The chats of an account in which something was received since then (milliseconds), newest first. */
export async function listRecentChats(
  db: Kysely<Database>,
  { platform, account, since, limit }: AccountAddress & { readonly since: number; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("inbox")
    .innerJoin("sessions", "sessions.id", "inbox.session")
    .select((expression) => ["sessions.chat", expression.fn.max("inbox.seq").as("newest")])
    .where("inbox.platform", "=", platform)
    .where("inbox.account", "=", account)
    .where("inbox.created_at", ">=", since)
    .groupBy("sessions.chat")
    .orderBy("newest", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => row.chat);
}

const dated = z.object({ sentAt: z.number() });

/** When the last message stored for an account was sent, by the platform's clock; undefined = there is none. */
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
  return row && dated.safeParse(JSON.parse(row.payload)).data?.sentAt;
}
