import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

export interface ChatMove {
  readonly chat: string;
  readonly movedTo: string;
  /** Messages of the new chat belong to the old one. */
  readonly adopts: boolean;
}

export async function listChatMoves(db: Kysely<Database>, account: string): Promise<readonly ChatMove[]> {
  const rows = await db.selectFrom("chat_moves").selectAll().where("account", "=", account).execute();
  return rows.map(({ chat, moved_to: movedTo, adopts }) => ({ chat, movedTo, adopts: adopts === 1 }));
}

/** Once for each chat. Where people talk in the new chat already, the two conversations stay two. */
export async function saveChatMove(
  db: Kysely<Database>,
  move: { readonly platform: string; readonly account: string; readonly chat: string; readonly movedTo: string },
  now: number,
): Promise<void> {
  const { account, chat, movedTo } = move;
  const adopts = (await hasSessionOfChat(db, { ...move, chat: movedTo })) ? 0 : 1;
  await db
    .insertInto("chat_moves")
    .values({ account, chat, moved_to: movedTo, adopts, created_at: now })
    .onConflict((conflict) => conflict.columns(["account", "chat"]).doNothing())
    .execute();
}

interface ChatPlace {
  readonly platform: string;
  readonly account: string;
  readonly chat: string;
}

/** Whether anything was said there, in whatever topic. */
export async function hasSessionOfChat(db: Kysely<Database>, place: ChatPlace): Promise<boolean> {
  const row = await db
    .selectFrom("sessions")
    .select("id")
    .where("platform", "=", place.platform)
    .where("account", "=", place.account)
    .where("chat", "=", place.chat)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The bot cannot write there any more. If that is new, it answers whether there was a conversation there. */
export async function markChatGone(
  db: Kysely<Database>,
  place: ChatPlace,
  now: number,
): Promise<{ readonly talked: boolean } | undefined> {
  const marked = await db
    .updateTable("sessions")
    .set({ gone_at: now })
    .where("platform", "=", place.platform)
    .where("account", "=", place.account)
    .where("chat", "=", place.chat)
    .where("gone_at", "is", null)
    .returning("last_position")
    .execute();
  // Messages of strangers do not enter a conversation.
  return marked.length === 0 ? undefined : { talked: marked.some((session) => session.last_position > 0) };
}

export async function markChatBack(db: Kysely<Database>, place: ChatPlace): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ gone_at: null })
    .where("platform", "=", place.platform)
    .where("account", "=", place.account)
    .where("chat", "=", place.chat)
    .where("gone_at", "is not", null)
    .execute();
}

/** The address with the id that the platform has for its chat today, for lists in which people name the new one. */
export async function followMove<Place extends ChatPlace>(
  db: Kysely<Database>,
  address: Place,
): Promise<{ readonly address: Place; readonly movedTo?: string }> {
  const move = (await listChatMoves(db, address.account)).find(({ chat }) => chat === address.chat);
  return { address, ...(move !== undefined && { movedTo: move.movedTo }) };
}
