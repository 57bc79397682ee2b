import { TelegramError } from "telegraf";
import { describeError } from "../../core/errors.ts";

/** How a Bot API call failed. Reasons are one line, without the token. */
export type ApiFailure =
  /** 401, or 404 for a token the server cannot read: no retry helps. */
  | { readonly kind: "unauthorized"; readonly status: number; readonly reason: string }
  /** 409: another poller, or a webhook. */
  | { readonly kind: "conflict"; readonly reason: string }
  /** 429: nothing more until then. `unsent` = the wait was known, so no request was sent. */
  | { readonly kind: "flood"; readonly retryAfterMs: number; readonly reason: string; readonly unsent?: true }
  /** The group became a supergroup with this id. */
  | { readonly kind: "migrated"; readonly chat: string; readonly reason: string }
  /** Any other 4xx: the same request is refused again. */
  | { readonly kind: "refused"; readonly status: number; readonly reason: string }
  /** Network, time limit, 5xx, an answer that is not the Bot API's: whether the server acted is unknown. */
  | {
      readonly kind: "unreachable";
      readonly reason: string;
      /** There was no answer of the Bot API at all. */
      readonly silent?: true;
    }
  /** We gave the call up ourselves. */
  | { readonly kind: "stopped" };

export type ApiAnswer<T> = { readonly kind: "ok"; readonly value: T } | ApiFailure;

/** Milliseconds after which a flood ends when the server names no time. */
const floodDefaultMs = 5_000;

/** Sorts an error of telegraf's client. Source of the codes: core.telegram.org/bots/api#making-requests. */
export function readFailure(error: unknown, scrub: (text: string) => string): ApiFailure {
  const reason = scrub(describeError(error)).replaceAll(/\s+/g, " ").trim();
  if (!(error instanceof TelegramError)) return { kind: "unreachable", reason, silent: true };
  const status = error.code;
  const migratedTo = error.parameters?.migrate_to_chat_id;
  if (migratedTo !== undefined) return { kind: "migrated", chat: String(migratedTo), reason };
  if (status === 401) return { kind: "unauthorized", status, reason };
  // An old server answers 404 to a method it does not know; that says nothing about the token.
  if (status === 404 && !/method/i.test(reason)) return { kind: "unauthorized", status, reason };
  if (status === 409) return { kind: "conflict", reason };
  if (status === 429) {
    const seconds = error.parameters?.retry_after;
    return { kind: "flood", retryAfterMs: seconds === undefined ? floodDefaultMs : seconds * 1_000, reason };
  }
  if (status >= 400 && status < 500) return { kind: "refused", status, reason };
  return { kind: "unreachable", reason };
}

/** The edit would change nothing, so what we want is already there. */
export function isNotModified(answer: ApiAnswer<unknown>): boolean {
  return answer.kind === "refused" && answer.reason.includes("message is not modified");
}

/** The server does not accept our entities; the same text without them may pass. */
export function isEntityRefusal(answer: ApiAnswer<unknown>): boolean {
  return answer.kind === "refused" && /entit(y|ies)/i.test(answer.reason);
}

/** The part of a message that is gone, where a refusal names one: without it the same text may pass. */
export function findLostPart(answer: ApiAnswer<unknown>): "message_thread_id" | "reply_parameters" | undefined {
  if (answer.kind !== "refused") return undefined;
  if (/message thread not found|topic_(?:deleted|id_invalid)|topic not found/i.test(answer.reason))
    return "message_thread_id";
  const isQuote = /message to (?:be replied|reply) not found|reply_message_id_invalid|quote_text_invalid/i;
  return isQuote.test(answer.reason) ? "reply_parameters" : undefined;
}
