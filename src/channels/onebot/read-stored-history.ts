import type { ChatAddress, HistoryPage, HistoryPlace, InboundMessage, ReadHistory } from "../types.ts";
import type { Account, Accounts } from "./account.ts";
import { readChat } from "./chat.ts";
import { findOldest } from "./fill-gap.ts";
import { readHistory } from "./history.ts";
import { readEvent } from "./read-event.ts";
import { toWireId } from "./wire-id.ts";

/** Pages of what an implementation keeps of a chat, backwards. Each page begins with the oldest message of the page before. */
export function createReadStoredHistory(parts: {
  readonly accounts: Accounts;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}): ReadHistory {
  const { accounts, signal, timeoutMs } = parts;

  async function readPage(account: Account, chat: string, { after, count }: HistoryPlace): Promise<HistoryPage> {
    const { link } = account;
    if (link === undefined) return { kind: "unavailable", reason: `QQ ${account.id} is not connected` };
    const upTo = after === undefined ? undefined : toWireId(after.older);
    const read = await readHistory(link, account, readChat(chat), { count, upTo, timeoutMs, signal });
    const address: ChatAddress = { platform: "qq", account: account.id, chat, thread: null };
    switch (read.kind) {
      case "disconnected":
        return { kind: "unavailable", reason: `QQ ${account.id} was disconnected` };
      case "unknown":
        // Implementations refuse positions before the first message, each with words of its own.
        if (after !== undefined) return { kind: "page", address, messages: [] };
        return { kind: "unavailable", reason: read.reason };
      case "known":
        break;
    }
    const messages = read.messages
      .map((raw) => readEvent(raw, account.id))
      .filter((event): event is InboundMessage => event.kind === "message" && event.address.chat === chat)
      .toSorted((a, b) => a.sentAt - b.sentAt);
    const oldest = findOldest(read.messages, account.dialect)?.place;
    const isOlder = oldest !== undefined && String(oldest) !== after?.older;
    return { kind: "page", address, messages, ...(isOlder && { older: String(oldest) }) };
  }

  return async (chat, page) => {
    const known = accounts.list().filter(({ id }) => page.after === undefined || page.after.account === id);
    let last: HistoryPage = { kind: "unavailable", reason: "no QQ account is connected" };
    // With several accounts, the chat is one that only some of them are in.
    for (const account of known) {
      last = await readPage(account, chat, page);
      if (last.kind === "page") break;
    }
    return last;
  };
}
