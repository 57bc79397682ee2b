import type { ConversationMessage } from "../src/core/conversation.ts";
import type { Store } from "../src/store/open-store.ts";
import { ensureSession } from "../src/store/queries/sessions.ts";

const sentence = "一段普通的对话，长度和平时差不多，说的是今天做了什么，明天打算做什么。".repeat(4);
const rowsAtOnce = 500;

/** Writes a conversation of `length` messages, 150 characters each, straight into the tables. */
export async function seedHistory(store: Store, chat: string, length: number): Promise<void> {
  const session = `fake:bot:${chat}`;
  const place = {
    id: session,
    platform: "fake",
    account: "bot",
    chat,
    thread: null,
    chatKind: "private",
    language: "zh",
    now: 0,
  } as const;
  await ensureSession(store.main, place);
  for (let from = 0; from < length; from += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, length - from) }, (_, index) =>
      makeRow(session, from + index + 1),
    );
    await store.main.insertInto("messages").values(rows).execute();
  }
  await cutHistory(store, chat, length);
}

/** Takes away what was said after the first `length` messages, so that every sample starts from the same length. */
export async function cutHistory(store: Store, chat: string, length: number): Promise<void> {
  const session = `fake:bot:${chat}`;
  await store.main.deleteFrom("messages").where("session", "=", session).where("position", ">", length).execute();
  const last = await store.main
    .selectFrom("messages")
    .select("id")
    .where("session", "=", session)
    .where("position", "=", length)
    .executeTakeFirst();
  await store.main
    .updateTable("sessions")
    .set({ last_position: length, head: last?.id ?? null })
    .where("id", "=", session)
    .execute();
}

function makeRow(session: string, position: number) {
  const message: ConversationMessage =
    position % 2 === 1
      ? { role: "user", text: `${position} ${sentence}`, senderId: "fake:owner", senderName: "owner" }
      : { role: "assistant", text: `${position} ${sentence}`, calls: [] };
  return {
    session,
    branch: "main",
    parent: null,
    position,
    turn: null,
    question: null,
    role: message.role,
    content: JSON.stringify(message),
    taint: "owner",
    created_at: 0,
  };
}
