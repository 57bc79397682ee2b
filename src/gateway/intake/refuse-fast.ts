import type { Words } from "../../core/words/dictionary.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { Person } from "../../policy/types.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { InboundMessage } from "../../channels/types.ts";
import type { createMessageRate } from "./message-rate.ts";

/**
 * Counts a message that is about to begin a turn, however it was read. true = it is one too many: it is answered, or
 * finished without a word, and nothing may begin because of it.
 */
export type RefuseFast = (given: {
  readonly item: InboxItem;
  readonly message: InboundMessage;
  readonly person: Person;
  readonly words: Words;
}) => Promise<boolean>;

export function createRefuseFast({
  rate,
  systemReplies,
}: {
  readonly rate: ReturnType<typeof createMessageRate>;
  readonly systemReplies: SystemReplies;
}): RefuseFast {
  return async ({ item, message, person, words }) => {
    // Who can run commands on this machine floods only themselves.
    if (message.address.platform === "cli") return false;
    const over = rate({ person: person.id, owner: person.role === "owner", sentAt: message.sentAt });
    if (over.kind === "fine") return false;
    const texts = words.oversight.limits;
    if (!over.first) await systemReplies.finish(item);
    else {
      const text = over.scope === "person" ? texts.tooFast(over.limit) : texts.tooBusy(over.limit);
      await systemReplies.answer(item, message, text);
    }
    return true;
  };
}
