import type { JsonObject, Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import { type InboxItem, rewriteInboxItem } from "../../store/queries/inbox.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { InboundMessage } from "../../channels/types.ts";
import type { CommandCall } from "./command-call.ts";

/** Makes a command a turn that begins with these calls; `say` = the order in words, for the model. */
export type OrderCalls = (
  command: CommandCall,
  ordered: readonly { readonly name: string; readonly arguments: JsonObject }[],
  say: (words: Words, language: Language) => string,
) => Promise<undefined>;

/**
 * A command's call is like any other: put into the lane for the gate to judge. A question about it, its row in the ledger
 * and the label of what comes back are those of every turn.
 */
export function createOrderCalls(parts: {
  readonly store: Pick<Store, "main">;
  readonly pushToLane: (item: InboxItem) => void;
}): OrderCalls {
  return async ({ item, message, session }, ordered, say) => {
    // In the conversation's language: that of an address is none.
    const language = ((await findSession(parts.store.main, session))?.language ?? "zh") as Language;
    const payload: InboundMessage = { ...message, text: say(wordsFor(language), language), ordered };
    const work = await rewriteInboxItem(parts.store.main, item.id, JSON.stringify(payload));
    if (work) parts.pushToLane(work);
    return undefined;
  };
}
