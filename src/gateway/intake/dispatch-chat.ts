import type { Clock } from "../../core/clock.ts";
import { markChatBack, markChatGone } from "../../store/queries/chat-moves.ts";
import { findOutboxItem } from "../../store/queries/outbox.ts";
import { forgetPrompt, listQuestionsShownIn } from "../../store/queries/question-prompts.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { Store } from "../../store/open-store.ts";
import type { OutboundMessage } from "../../channels/types.ts";
import { queueMessage, type Outbox } from "../outbox/outbox.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { TellOwners } from "../outbox/tell-owners.ts";
import type { HandleEvent } from "./dispatch.ts";

/** A chat has another id, is lost, or is there again. What waits for a lost one ends by itself: the platform refuses it. */
export function createDispatchChat(parts: {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly systemReplies: Pick<SystemReplies, "finish">;
  readonly tellOwners: TellOwners;
  readonly clock: Clock;
}): HandleEvent<"chat"> {
  const { store, outbox, systemReplies, clock } = parts;

  /** The prompt stands in the chat as it was, where nobody can answer it. Only the new one can be quoted and counts from then. */
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

  return async (item, { address, change }) => {
    switch (change.kind) {
      case "moved":
        for (const question of await listQuestionsShownIn(store.main, item.session)) {
          await askAgain(question, item.session);
        }
        outbox.wake(item.session);
        break;
      case "gone": {
        const chat = `${address.platform}:${address.chat}`;
        const { reason } = change;
        if (await markChatGone(store.main, address, clock.now())) {
          await parts.tellOwners(item.id, ({ access }) => access.chatGone({ chat, reason }));
        }
        break;
      }
      case "back":
        await markChatBack(store.main, address);
    }
    await systemReplies.finish(item);
  };
}
