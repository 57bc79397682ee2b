import { FakeRefusal, type FakePayload } from "./fake-bot-types.ts";

/**
 * What the server lets through. Source: core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this; how many
 * at once a quiet chat takes is not published. Edits, drafts, typing and reactions count like messages.
 */
export interface FakeLimits {
  readonly perSecond: number;
  readonly chatPerSecond: number;
  readonly chatBurst: number;
  readonly groupPerMinute: number;
}

export const usualLimits: FakeLimits = { perSecond: 30, chatPerSecond: 1, chatBurst: 5, groupPerMinute: 20 };

/** A call that came while its chat, or the bot, was told to wait. */
export interface ImpatientCall {
  readonly method: string;
  readonly chat: string;
}

interface Chat {
  /** Messages that may come at once now, as of `countedAt`. */
  credit: number;
  countedAt: number;
  waitsUntil: number;
  readonly minute: number[];
}

/** Counts what comes for chats and refuses what is too much, with `retry_after`. Who does not wait then waits longer. */
export function createFakeLimits(limits: FakeLimits | undefined) {
  const chats = new Map<string, Chat>();
  const second: number[] = [];
  const impatient: ImpatientCall[] = [];
  let refusals = 0;
  let allWaitUntil = 0;

  function open(id: string): Chat {
    const chat = chats.get(id) ?? { credit: limits?.chatBurst ?? 0, countedAt: 0, waitsUntil: 0, minute: [] };
    chats.set(id, chat);
    return chat;
  }

  function refuse(waitMs: number): FakeRefusal {
    refusals += 1;
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return new FakeRefusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
  }

  return {
    impatient,
    /** How often it has answered 429. */
    refusals: () => refusals,
    /** A 429 that a test has planned: the chat must be left alone for so long. */
    tell(chat: unknown, seconds: number) {
      open(String(chat)).waitsUntil = performance.now() + seconds * 1_000;
    },
    /** Throws when this is one too many. */
    count(method: string, payload: FakePayload) {
      const { chat_id: chatId } = payload;
      const id = typeof chatId === "number" || typeof chatId === "string" ? String(chatId) : "";
      if (id === "" || method.startsWith("get")) return;
      const now = performance.now();
      const chat = open(id);
      const told = Math.max(chat.waitsUntil, allWaitUntil) - now;
      // A timer may fire a moment early.
      if (told > 5) {
        impatient.push({ method, chat: id });
        chat.waitsUntil += 1_000;
        throw refuse(told + 1_000);
      }
      if (limits === undefined) return;
      chat.credit = Math.min(limits.chatBurst, chat.credit + ((now - chat.countedAt) / 1_000) * limits.chatPerSecond);
      chat.countedAt = now;
      dropOlder(second, now - 1_000);
      dropOlder(chat.minute, now - 60_000);
      if (second.length >= limits.perSecond) {
        allWaitUntil = now + 1_000;
        throw refuse(1_000);
      }
      const ofMinute = id.startsWith("-") && chat.minute.length >= limits.groupPerMinute;
      const waitMs = ofMinute
        ? (chat.minute[0] ?? now) + 60_000 - now
        : chat.credit < 1
          ? (1_000 * (1 - chat.credit)) / limits.chatPerSecond
          : 0;
      if (waitMs > 0) {
        chat.waitsUntil = now + Math.ceil(waitMs / 1_000) * 1_000;
        throw refuse(waitMs);
      }
      chat.credit -= 1;
      second.push(now);
      chat.minute.push(now);
    },
  };
}

function dropOlder(times: number[], before: number): void {
  while ((times[0] ?? before) < before) times.shift();
}
