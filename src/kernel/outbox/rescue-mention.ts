import { makeVisible } from "../../core/persona/show-payload.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Language } from "../../core/conversation.ts";
import { findSession, findPrivateSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { OutboxItem } from "../../store/queries/outbox.ts";
import type { OutboundMessage } from "../../channels/types.ts";
import type { SystemReplies } from "./system-replies.ts";
import type { TellOwners } from "./tell-owners.ts";

/** Characters of a platform's refusal that people are shown. */
const maxReasonLength = 200;

/** A message that its chat refuses for good, and that somebody waits for. */
export type RescueMention = (item: OutboxItem, message: OutboundMessage, reason: string) => Promise<void>;

/**
 * A message that calls one person in a group, such as a reminder, is told to that person in private when the group refuses it.
 * Owners are told where the person has no private chat with her, and of a private reminder that is refused.
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
      // Whoever has blocked her hears nothing any more; an owner can.
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
