import type { Logger } from "pino";
import type { InboundMessage } from "../../types.ts";
import type { Account } from "./accounts.ts";
import { readChat } from "./chat.ts";
import { readHistory } from "./history.ts";
import { readEvent } from "./read-event.ts";
import type { OneBotLink } from "./onebot-link.ts";

/** What the store knows of an account's chats. */
export interface ChatHistory {
  /** Chats with something received since then (milliseconds), newest first. */
  listRecentChats(account: string, since: number, limit: number): Promise<readonly string[]>;
  /** The platform's time (milliseconds) of the last message stored; undefined = there is none. */
  findLastMessageTime(account: string): Promise<number | undefined>;
}

const lookBackMs = 24 * 3_600_000;
const chatsLimit = 20;
const messagesPerChat = 50;
const overlapMs = 60_000;

/**
 * What people wrote while nobody was connected, oldest first. OneBot keeps no queue, so the history of the chats that were
 * lively is asked; the inbox drops what it has already. A new installation replays nothing.
 */
export async function fillGap(parts: {
  readonly account: Account;
  readonly link: OneBotLink;
  readonly history: ChatHistory;
  readonly now: number;
  readonly timeoutMs: number;
  readonly log: Logger;
}): Promise<readonly InboundMessage[]> {
  const { account, link, history, log } = parts;
  const last = await history.findLastMessageTime(account.id);
  if (last === undefined) return [];
  const found: InboundMessage[] = [];
  for (const chat of await history.listRecentChats(account.id, parts.now - lookBackMs, chatsLimit)) {
    const options = { count: messagesPerChat, timeoutMs: parts.timeoutMs };
    const read = await readHistory(link, account.id, readChat(chat), options);
    if (read.kind === "disconnected") break;
    if (read.kind === "unknown") {
      log.info({ account: account.id, reason: read.reason }, "QQ's history cannot be read; messages may be missed");
      if (read.unsupported) break;
      continue;
    }
    for (const item of read.messages) {
      const event = readEvent(item, account.id);
      if (event.kind !== "message" || event.sender.kind === "bot") continue;
      if (event.address.chat === chat && event.sentAt >= last - overlapMs) found.push(event);
    }
  }
  return found.toSorted((a, b) => a.sentAt - b.sentAt);
}
