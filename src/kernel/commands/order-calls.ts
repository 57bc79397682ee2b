import type { JsonObject, Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import { type InboxItem, rewriteInboxItem } from "../../store/queries/inbox.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { InboundMessage } from "../../channels/types.ts";
import type { CommandCall } from "./command-call.ts";

/** Turns a command into a turn that begins with these calls; `say` words the order for the model. */
export type OrderCalls = (
  command: CommandCall,
  ordered: readonly { readonly name: string; readonly arguments: JsonObject }[],
  say: (words: Words, language: Language) => string,
) => Promise<undefined>;

/**
 * A command's call is like any other: it goes to the lane, and the gate judges it. Its question, ledger row and result
 * label are those of every turn.
 */
export function createOrderCalls(parts: {
  readonly store: Pick<Store, "main">;
  readonly pushToLane: (item: InboxItem) => void;
}): OrderCalls {
  return async ({ item, message, session }, ordered, say) => {
    // In the conversation's language; an address has none.
    const language = ((await findSession(parts.store.main, session))?.language ?? "zh") as Language;
    const payload: InboundMessage = { ...message, text: say(wordsFor(language), language), ordered };
    const work = await rewriteInboxItem(parts.store.main, item.id, JSON.stringify(payload));
    if (work) parts.pushToLane(work);
    return undefined;
  };
}
