import type { Logger } from "pino";
import type { ChatAddress, Mark } from "../types.ts";
import type { BotApi, Payload } from "./bot-api.ts";
import { readChat } from "./chat.ts";

type Reaction = NonNullable<Payload<"setMessageReaction">["reaction"]>[number];

/**
 * From the set that Telegram lets bots use; ✅ and ❌ are not in it. A finished answer follows below, so it gets no mark.
 */
const marks: Readonly<Record<Mark, readonly Reaction[]>> = {
  seen: [{ type: "emoji", emoji: "👀" }],
  failed: [{ type: "emoji", emoji: "😢" }],
  done: [],
  none: [],
};
const requestLimitMs = 8_000;
const retryMs = 5_000;
const chatsKept = 500;

/** A bot has one reaction to a message: each replaces the one before. Source: core.telegram.org/bots/api#setmessagereaction. */
export function createPutReaction(parts: {
  readonly api: BotApi;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): (address: ChatAddress, messageId: string, mark: Mark) => Promise<number | undefined> {
  const { api, log, signal } = parts;
  /** Their administrators allow no reactions, or not these. */
  const unable = new Set<string>();
  return async ({ chat }, messageId, mark) => {
    if (unable.has(chat)) return undefined;
    const payload = { chat_id: readChat(chat).id, message_id: Number(messageId), reaction: [...marks[mark]] };
    const answer = await api.call("setMessageReaction", payload, { timeoutMs: requestLimitMs, signal });
    if (answer.kind === "ok" || answer.kind === "stopped") return undefined;
    log.debug({ reason: answer.reason, mark }, "a message was not marked");
    if (answer.kind === "flood") return answer.retryAfterMs;
    if (answer.kind === "unreachable") return retryMs;
    if (/reaction/i.test(answer.reason)) {
      if (unable.size > chatsKept) unable.clear();
      unable.add(chat);
    }
    return undefined;
  };
}
