import type { ConversationMessage } from "../../../src/core/conversation.ts";
import { logSaid, nameLogChat } from "../../../src/features/chatlog/queries/log-said.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { appendMessages } from "../../../src/store/queries/messages.ts";
import { ensureSession } from "../../../src/store/queries/sessions.ts";

export interface ChatToAdd {
  /** `telegram:bot:7`; a group's chat begins with a minus. */
  readonly id: string;
  readonly title?: string;
  readonly messages?: readonly ConversationMessage[];
  /** When the first message was said; each further one a second later. */
  readonly at?: number;
  readonly turn?: string;
  /** Nobody called her: the messages are only in the chat log. */
  readonly isOnlyHeard?: boolean;
}

export const say = (text: string, senderName = "林溯", senderId = "telegram:7"): ConversationMessage => ({
  role: "user",
  text,
  senderId,
  senderName,
});

export const reply = (text: string): ConversationMessage => ({ role: "assistant", text, calls: [] });

/** A conversation through the queries that turns write with, in the chat log too. */
export async function addChat(
  { main }: Pick<Store, "main">,
  { at = 1_000, id, isOnlyHeard = false, messages = [], title, turn = "turn_1" }: ChatToAdd,
): Promise<void> {
  const [platform = "", account = "", ...rest] = id.split(":");
  const [chat = "", thread] = rest.join(":").split("#");
  const chatKind = chat.startsWith("-") ? "group" : "private";
  await ensureSession(main, { id, platform, account, chat, thread: thread ?? null, chatKind, language: "zh", now: at });
  let now = at;
  for (const message of messages) {
    const said = { session: id, turn: message.role === "user" ? null : turn, taint: "user" as const, now };
    if (!isOnlyHeard) await main.transaction().execute((tx) => appendMessages(tx, { ...said, messages: [message] }));
    if ((message.role === "user" || message.role === "assistant") && message.text !== "")
      await logSaid(main, {
        session: id,
        sender:
          message.role === "user" ? { person: message.senderId, name: message.senderName } : { person: "", name: "" },
        role: message.role === "user" ? "person" : "her",
        text: message.text,
        taint: "user",
        key: `${id} ${now}`,
        saidAt: now,
      });
    now += 1_000;
  }
  if (title !== undefined) await nameLogChat(main, id, title);
}
