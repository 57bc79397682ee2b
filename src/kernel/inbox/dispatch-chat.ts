import type { Clock } from "../../core/clock.ts";
import { markChatBack, markChatGone } from "../../store/queries/chat-moves.ts";
import { findSession } from "../../store/queries/sessions.ts";
import { findOutboxItem } from "../../store/queries/outbox.ts";
import { forgetPrompt, listQuestionsShownIn } from "../../store/queries/question-prompts.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { Store } from "../../store/open-store.ts";
import type { ChatChange, OutboundMessage } from "../../channels/types.ts";
import type { Access } from "../people/access.ts";
import { queueMessage, type Outbox } from "../outbox/outbox.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { TellOwners } from "../outbox/tell-owners.ts";
import type { HandleEvent } from "./dispatch.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Further losses within the hour share one notice. */
const maxNoticesPerHour = 5;

/**
 * A chat changed its id, was lost, or came back. Messages queued for a lost chat need no cleanup: the platform refuses
 * them.
 */
export function createDispatchChat(parts: {
  readonly store: Store;
  readonly access: Pick<Access, "isGroupOpen">;
  readonly outbox: Outbox;
  readonly systemReplies: Pick<SystemReplies, "finish">;
  readonly tellOwners: TellOwners;
  readonly clock: Clock;
}): HandleEvent<"chat"> {
  const { store, access, outbox, systemReplies, tellOwners, clock } = parts;
  /** Ids of the owners' notices of the last day, with their times. */
  const notices = new Map<string, number>();

  /**
   * The old prompt is out of reach after the move. Only the new message can be quoted, and it counts from when it is
   * sent.
   */
  async function askAgain(question: Question, session: string): Promise<void> {
    const id = question.session === session ? question.id : `${question.id}.${session}`;
    const sent = await findOutboxItem(store.main, id);
    if (sent?.state !== "sent" || (await findOutboxItem(store.main, `${id}.moved`))) return;
    const { replyTo: _, ...message } = JSON.parse(sent.payload) as OutboundMessage;
    await store.main.transaction().execute(async (tx) => {
      await forgetPrompt(tx, question.id, session);
      await queueMessage(tx, { ...message, id: `${id}.moved` }, clock.now());
    });
  }

  /** Notices are limited because any user can block the bot, or add it to groups and remove it, without limit. */
  async function tellOfLoss(session: string, event: ChatChange, reason: string): Promise<void> {
    const { account, chat, platform } = event.address;
    const now = clock.now();
    const lost = await markChatGone(store.main, event.address, now);
    if (lost === undefined) return;
    const isGroup = (await findSession(store.main, session))?.chat_kind === "group";
    if (!(isGroup ? await access.isGroupOpen(event) : lost.talked)) return;
    const id = `chat-gone:${platform}:${account}:${chat}:${Math.floor(now / dayMs)}`;
    if (notices.has(id)) return;
    for (const [one, at] of notices) if (now - at > dayMs) notices.delete(one);
    if ([...notices.values()].filter((at) => now - at < hourMs).length >= maxNoticesPerHour) {
      await tellOwners(`chats-gone:${Math.floor(now / hourMs)}`, (words) => words.access.chatsGone);
      return;
    }
    notices.set(id, now);
    const shown = { chat: `${platform}:${chat}`, reason };
    await tellOwners(id, (words) => words.access.chatGone(shown));
  }

  return async (item, event) => {
    const { address, change } = event;
    switch (change.kind) {
      case "moved":
        for (const question of await listQuestionsShownIn(store.main, item.session)) {
          await askAgain(question, item.session);
        }
        outbox.wake(item.session);
        break;
      case "gone":
        await tellOfLoss(item.session, event, change.reason);
        break;
      case "back":
        await markChatBack(store.main, address);
    }
    await systemReplies.finish(item);
  };
}
