import { createSendPacer, type PaceRank, type SendPace } from "../send-pace.ts";
import type { ApiAnswer } from "./api-answer.ts";
import type { BotApi, BotMethod, CallLimits } from "./bot-api.ts";

/** The methods that Telegram counts as messages, and their default urgency. */
const ranks: Readonly<Record<BotMethod, PaceRank | "uncounted">> = {
  sendMessage: "message",
  sendDocument: "message",
  sendPhoto: "message",
  sendVoice: "message",
  editMessageText: "message",
  editMessageReplyMarkup: "card",
  deleteMessage: "card",
  sendMessageDraft: "preview",
  sendChatAction: "hint",
  setMessageReaction: "hint",
  getMe: "uncounted",
  getUpdates: "uncounted",
  deleteWebhook: "uncounted",
  setWebhook: "uncounted",
  getWebhookInfo: "uncounted",
  getFile: "uncounted",
  getChatMember: "uncounted",
  setMyCommands: "uncounted",
  answerCallbackQuery: "uncounted",
};

/** A call with a longer wait is put back in the queue: nothing runs in the meantime. */
const patienceMs = 1_500;
/** A 429 does not name its scope; when this many chats get one in a short time, it is for the bot. */
const floodedChats = 3;
const togetherMs = 10_000;

/**
 * Everything that leaves for a chat, at the pace that Telegram allows. What may not leave now is answered like a 429,
 * with `unsent`, and a 429 holds up its chat until its time has passed.
 */
export function paceBotApi(api: BotApi, pace: () => SendPace, signal: AbortSignal): BotApi {
  const pacer = createSendPacer(pace, signal);
  let floods: readonly { readonly chat: string; readonly at: number; readonly until: number }[] = [];

  function noteFlood(chat: string, isGroup: boolean, ms: number): void {
    pacer.hold({ chat, isGroup }, ms);
    const now = performance.now();
    const others = floods.filter((flood) => flood.chat !== chat && flood.at > now - togetherMs);
    floods = [...others, { chat, at: now, until: now + ms }];
    if (floods.length < floodedChats) return;
    pacer.hold(undefined, Math.min(...floods.map(({ until }) => until)) - now);
    floods = [];
  }

  async function inTurn<T>(
    method: BotMethod,
    payload: object,
    limits: CallLimits,
    request: () => Promise<ApiAnswer<T>>,
  ): Promise<ApiAnswer<T>> {
    const rank = limits.rank ?? ranks[method];
    if (rank === "uncounted" || !("chat_id" in payload)) return request();
    const chat = String(payload.chat_id);
    const isGroup = chat.startsWith("-");
    const permit = await pacer.take({ chat, isGroup, rank, patienceMs });
    if (permit.kind === "stopped") return { kind: "stopped" };
    if (permit.kind === "wait") {
      return { kind: "flood", retryAfterMs: Math.ceil(permit.ms), reason: "the chat has to wait", unsent: true };
    }
    try {
      const answer = await request();
      if (answer.kind === "flood") noteFlood(chat, isGroup, answer.retryAfterMs);
      return answer;
    } finally {
      permit.ended();
    }
  }

  return {
    call: (method, payload, limits) => inTurn(method, payload, limits, () => api.call(method, payload, limits)),
    upload: (method, payload, file, limits) =>
      inTurn(method, payload, limits, () => api.upload(method, payload, file, limits)),
  };
}
