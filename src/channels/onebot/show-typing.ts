import type { ChatAddress } from "../types.ts";
import type { Accounts } from "./account.ts";
import { readChat } from "./chat.ts";

const typing = 1;
const chatsKept = 500;

/** "…is typing" in private chats: all that QQ shows of a running turn. */
export function createShowTyping(parts: {
  readonly accounts: Accounts;
  readonly everyMs: number;
}): (address: ChatAddress) => Promise<void> {
  const shownAt = new Map<string, number>();

  return async (address) => {
    const account = parts.accounts.find(address.account);
    const chat = readChat(address.chat);
    if (account?.link === undefined || chat.kind === "group" || !account.dialect.typing) return;
    const key = `${address.account} ${chat.id}`;
    const now = performance.now();
    if (now - (shownAt.get(key) ?? -Infinity) < parts.everyMs) return;
    if (shownAt.size > chatsKept) shownAt.clear();
    shownAt.set(key, now);
    // NapCat takes this id as a text only.
    await account.link.call("set_input_status", { user_id: chat.id, event_type: typing }, parts.everyMs);
  };
}
