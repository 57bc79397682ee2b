import { makeVisible } from "../../core/persona/show-payload.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Language } from "../../core/conversation.ts";
import { findSession, findPrivateSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { OutboxItem } from "../../store/queries/outbox.ts";
import type { OutboundMessage } from "../../channels/types.ts";
import type { SystemReplies } from "./system-replies.ts";
import type { TellOwners } from "./tell-owners.ts";

/** Characters of a platform's refusal that people see. */
const maxReasonLength = 200;

/** Rescues an awaited message that its chat refuses permanently. */
export type RescueMention = (item: OutboxItem, message: OutboundMessage, reason: string) => Promise<void>;

/**
 * A message that mentions one person in a group, such as a reminder, goes to that person in private when the group
 * refuses it. Owners are notified when the person has no private chat with the bot, or when a private reminder is
 * refused.
 */
export function createRescueMention(parts: {
  readonly store: Pick<Store, "main">;
  readonly systemReplies: Pick<SystemReplies, "tell">;
  readonly tellOwners: TellOwners;
}): RescueMention {
  const { store, systemReplies, tellOwners } = parts;
  return async ({ id, session }, { mention, address, text, isReminder }, refusal) => {
    const reason = makeVisible(refusal.slice(0, maxReasonLength));
    if (mention === undefined) {
      // A person who blocked the bot is out of reach; an owner is not.
      if (isReminder)
        await tellOwners(`refused:${id}`, (words) =>
          words.refusedMention.toOwners({ who: address.chat, text, reason }),
        );
      return;
    }
    const row = await findSession(store.main, session);
    const language = (row?.language ?? "zh") as Language;
    const place = await findPrivateSession(store.main, address.platform, mention.user);
    if (place !== undefined)
      return systemReplies.tell(`${id}.private`, place, () => wordsFor(language).refusedMention.here(text));
    await tellOwners(`refused:${id}`, (words) => words.refusedMention.toOwners({ who: mention.name, text, reason }));
  };
}
