import type { ChatAddress } from "../types.ts";
import type { Accounts } from "./account.ts";
import { readChat } from "./chat.ts";
import type { OneBotLink } from "./onebot-link.ts";

const unknownAction = 1404;
const typing = 1;
const chatsKept = 500;

/** "…is typing" in private chats: all that QQ shows of a running turn. Only NapCat has it; the others are asked once. */
export function createShowTyping(parts: {
  readonly accounts: Accounts;
  readonly everyMs: number;
}): (address: ChatAddress) => Promise<void> {
  const unable = new WeakSet<OneBotLink>();
  const shownAt = new Map<string, number>();

  return async (address) => {
    const link = parts.accounts.find(address.account)?.link;
    const chat = readChat(address.chat);
    if (link === undefined || chat.kind === "group" || unable.has(link)) return;
    const key = `${address.account} ${chat.id}`;
    const now = performance.now();
    if (now - (shownAt.get(key) ?? -Infinity) < parts.everyMs) return;
    if (shownAt.size > chatsKept) shownAt.clear();
    shownAt.set(key, now);
    // NapCat takes this id as a text only.
    const answer = await link.call("set_input_status", { user_id: chat.id, event_type: typing }, parts.everyMs);
    if (answer.kind === "failed" && answer.retcode === unknownAction) unable.add(link);
  };
}
