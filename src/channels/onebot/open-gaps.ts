import type { Account } from "./account.ts";

/** The stored history of an account's chats. */
export interface ChatHistory {
  /**
   * Its chats, the newest activity first, with the platform's time (milliseconds) of the last message stored from each;
   * undefined when none is kept.
   */
  listChats(account: string, limit: number): Promise<readonly { chat: string; lastSentAt: number | undefined }[]>;
  /** The platform's time (milliseconds) of the account's last message stored; undefined when there is none. */
  findLastMessageTime(account: string): Promise<number | undefined>;
}

/** How many chats are looked at after a connection: OneBot brings nothing again, so a chat beyond them loses what it said. */
export const chatsLimit = 200;
const overlapMs = 60_000;
/** People expect no answer to older messages; Telegram keeps its updates as long. */
const maxGapMs = 24 * 3_600_000;

/**
 * Notes for the liveliest chats from when on something may be missed: each from its own last message, so that only a
 * chat that got something new moves on; a chat nothing is kept of from the account's last message; none from longer ago
 * than a day. A gap that is still open stays as it is. Answers from when on the others may have missed something;
 * undefined when nothing was ever stored: a new installation replays nothing.
 */
export async function openGaps(account: Account, history: ChatHistory, now: number): Promise<number | undefined> {
  const last = await history.findLastMessageTime(account.id);
  if (last === undefined) return undefined;
  for (const { chat, lastSentAt } of await history.listChats(account.id, chatsLimit)) {
    if (!account.gaps.has(chat)) account.gaps.set(chat, beginGap(lastSentAt ?? last, now));
  }
  return beginGap(last, now);
}

function beginGap(lastSentAt: number, now: number): number {
  return Math.max(lastSentAt - overlapMs, now - maxGapMs);
}
