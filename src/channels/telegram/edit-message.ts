import type { InlineKeyboardMarkup } from "@grammyjs/types";
import type { Logger } from "pino";
import type { FormattedText } from "../markdown/tidy-entities.ts";
import type { PaceRank } from "../send-pace.ts";
import type { ChatAddress } from "../types.ts";
import { isEntityRefusal, isNotModified, type ApiAnswer } from "./api-answer.ts";
import type { BotApi } from "./bot-api.ts";
import { buildEditText } from "./build-payload.ts";
import type { SentMessage } from "./judge-delivery.ts";

export const requestLimitMs = 30_000;

/** Gives a message its new text; an unchanged text is a success. */
export async function editMessage(
  api: BotApi,
  { address, messageId, keyboard }: { address: ChatAddress; messageId: string; keyboard?: InlineKeyboardMarkup },
  content: FormattedText,
  rank: PaceRank,
): Promise<ApiAnswer<SentMessage>> {
  const payload = buildEditText(address, messageId, content, keyboard);
  const answer = await api.call("editMessageText", payload, { timeoutMs: requestLimitMs, rank });
  if (isNotModified(answer)) return { kind: "ok", value: { messageId } };
  return answer.kind === "ok" ? { kind: "ok", value: { messageId, ...readTime(answer.value) } } : answer;
}

/** When the current text went out, by Telegram's clock. */
export function readTime(message: true | { readonly date: number; readonly edit_date?: number }): { sentAt?: number } {
  return message === true ? {} : { sentAt: (message.edit_date ?? message.date) * 1_000 };
}

/** Style is never worth a lost message: where the server refuses the entities, the words go without. */
export async function withPlainRetry<Result>(
  content: FormattedText,
  log: Logger,
  attempt: (content: FormattedText) => Promise<ApiAnswer<Result>>,
): Promise<ApiAnswer<Result>> {
  const answer = await attempt(content);
  if (!isEntityRefusal(answer) || content.entities.length === 0) return answer;
  log.warn({ reason: "reason" in answer ? answer.reason : "" }, "entities were refused; sending plain text");
  return attempt({ text: content.text, entities: [] });
}
