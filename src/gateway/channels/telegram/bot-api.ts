import { Telegraf } from "telegraf";
import type { ApiMethods, Opts } from "@grammyjs/types";
import type { Logger } from "pino";
import { AppError, describeError } from "../../../core/errors.ts";
import { readFailure, type ApiAnswer } from "./api-answer.ts";
import { createTokenScrubber } from "./scrub-token.ts";

type BotMethod =
  | "getMe"
  | "deleteWebhook"
  | "getUpdates"
  | "sendMessage"
  | "editMessageText"
  | "editMessageReplyMarkup"
  | "deleteMessage"
  | "sendMessageDraft"
  | "sendChatAction"
  | "answerCallbackQuery";

export type Payload<M extends BotMethod> = Opts<never>[M];
type Result<M extends BotMethod> = ReturnType<ApiMethods<never>[M]>;

/** The one way to the Bot API. Failures are data; nothing here retries. */
export interface BotApi {
  call<M extends BotMethod>(
    method: M,
    payload: Payload<M>,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<ApiAnswer<Result<M>>>;
}

export interface BotApiOptions {
  readonly token: string;
  /** For instance `https://api.telegram.org`; a path is kept. */
  readonly apiRoot: string;
  readonly log: Logger;
}

/** telegraf as transport: its types end at Bot API 7.1, so the cast to today's methods stands here and nowhere else. */
export function createBotApi({ token, apiRoot, log }: BotApiOptions): BotApi {
  const scrub = createTokenScrubber(token);
  const bot = new Telegraf(token, {
    handlerTimeout: Infinity,
    // telegraf resolves against the root as a URL does: without the last slash the last path segment would go.
    telegram: { apiRoot: apiRoot.endsWith("/") ? apiRoot : `${apiRoot}/`, webhookReply: false },
  });
  bot.catch((error) => log.error({ reason: scrub(describeError(error)) }, "telegraf reported an error"));

  return {
    async call<M extends BotMethod>(
      method: M,
      payload: Payload<M>,
      limits: { readonly timeoutMs: number; readonly signal?: AbortSignal },
    ): Promise<ApiAnswer<Result<M>>> {
      refuseUploadTrap(method, payload);
      if (limits.signal?.aborted) return { kind: "stopped" };
      const controller = new AbortController();
      const abort = () => controller.abort();
      // telegraf's own limit is 500 s; a half-dead connection must be noticed sooner.
      const timer = setTimeout(abort, limits.timeoutMs);
      limits.signal?.addEventListener("abort", abort, { once: true });
      try {
        const signal = controller.signal as never;
        const value: unknown = await bot.telegram.callApi(method as never, payload as never, { signal });
        return { kind: "ok", value: value as Result<M> };
      } catch (error) {
        if (limits.signal?.aborted) return { kind: "stopped" };
        if (controller.signal.aborted) {
          return { kind: "unreachable", reason: `no answer to ${method} within ${limits.timeoutMs / 1_000} s` };
        }
        // telegraf leaves the body of a 5xx unread; aborting gives the socket back.
        controller.abort();
        return readFailure(error, scrub);
      } finally {
        clearTimeout(timer);
        limits.signal?.removeEventListener("abort", abort);
      }
    },
  };
}

/**
 * telegraf fetches any top-level `{ url }` and reads any `{ source }` from the disk to upload it.
 * We upload nothing, so such a payload is a fault of ours, and the request never leaves.
 */
function refuseUploadTrap(method: string, payload: object): void {
  for (const [field, value] of Object.entries(payload) as [string, unknown][]) {
    if (field === "link_preview_options") continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof item !== "object" || item === null) continue;
      const isUpload = "source" in item || "media" in item || (!Array.isArray(value) && "url" in item);
      if (isUpload)
        throw new AppError("INTERNAL", `A Telegram payload must not carry files or addresses: ${method}.${field}`);
    }
  }
}
