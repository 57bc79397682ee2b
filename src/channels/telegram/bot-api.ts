import type { Agent as HttpsAgent } from "node:https";
import { Telegraf } from "telegraf";
import type { ApiMethods, Opts } from "@grammyjs/types";
import type { Logger } from "pino";
import { AppError, describeError } from "../../core/errors.ts";
import { createOutboundAgent } from "../../web/outbound-proxy.ts";
import type { PaceRank } from "../send-pace.ts";
import { readFailure, type ApiAnswer } from "./api-answer.ts";

export type BotMethod =
  | "getMe"
  | "setWebhook"
  | "deleteWebhook"
  | "getWebhookInfo"
  | "getUpdates"
  | "sendMessage"
  | "editMessageText"
  | "editMessageReplyMarkup"
  | "deleteMessage"
  | "sendMessageDraft"
  | "sendChatAction"
  | "setMessageReaction"
  | "answerCallbackQuery"
  | "getFile"
  | "getChatMember"
  | "setMyCommands"
  | "sendDocument"
  | "sendPhoto"
  | "sendVoice";

export type Payload<M extends BotMethod> = Opts<never>[M];
type Result<M extends BotMethod> = ReturnType<ApiMethods<never>[M]>;

/** The one way to the Bot API. Failures are data; nothing here retries. */
export interface BotApi {
  call<M extends Exclude<BotMethod, UploadMethod>>(
    method: M,
    payload: Payload<M>,
    limits: CallLimits,
  ): Promise<ApiAnswer<Result<M>>>;
  /** The file at `path`, or the content, goes as multipart, under `name`, which has no quotation mark. */
  upload(
    method: UploadMethod,
    payload: Omit<Payload<"sendDocument">, "document">,
    file: UploadedFile,
    limits: CallLimits,
  ): Promise<ApiAnswer<Result<"sendDocument">>>;
}

type UploadedFile = { readonly name: string } & ({ readonly path: string } | { readonly content: Buffer });

type UploadMethod = "sendDocument" | "sendPhoto" | "sendVoice";

const uploadFields = { sendDocument: "document", sendPhoto: "photo", sendVoice: "voice" } as const;

export interface CallLimits {
  readonly timeoutMs: number;
  /** How urgent it is; default: the rank of the method. */
  readonly rank?: PaceRank;
  readonly signal?: AbortSignal;
}

export interface BotApiOptions {
  readonly token: string;
  /** For instance `https://api.telegram.org`; a path is kept. */
  readonly apiRoot: string;
  readonly log: Logger;
}

/** telegraf as transport: its types end at Bot API 7.1, so the cast to today's methods is here and nowhere else. */
export function createBotApi({ token, apiRoot, log }: BotApiOptions): BotApi {
  const scrub = createTokenScrubber(token);
  // telegraf resolves against the root as a URL does: without the last slash the last path segment would go.
  const root = apiRoot.endsWith("/") ? apiRoot : `${apiRoot}/`;
  // telegraf's own, which follows no proxy, has these options. For an http address it leaves the agent to Node.
  const agent = createOutboundAgent(new URL(root), { keepAlive: true, keepAliveMsecs: 10_000 }) as HttpsAgent;
  const bot = new Telegraf(token, {
    handlerTimeout: Infinity,
    telegram: { apiRoot: root, webhookReply: false, agent },
  });
  bot.catch((error) => log.error({ reason: scrub(describeError(error)) }, "telegraf reported an error"));

  async function request<M extends BotMethod>(
    method: M,
    payload: object,
    limits: CallLimits,
  ): Promise<ApiAnswer<Result<M>>> {
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
  }

  return {
    // Not a plain throw: the promise has to reject.
    async call(method, payload, limits) {
      refuseUploadTrap(method, payload);
      return request(method, payload, limits);
    },
    async upload(method, payload, uploaded, limits) {
      refuseUploadTrap(method, payload);
      // Telegraf writes only few nested values into a multipart body; the others would be lost silently.
      const flat = Object.entries(payload).map(([field, value]): [string, unknown] => [
        field,
        typeof value === "object" && value !== null ? JSON.stringify(value) : value,
      ]);
      const source = "path" in uploaded ? uploaded.path : uploaded.content;
      const file = { [uploadFields[method]]: { source, filename: uploaded.name } };
      return request(method, { ...Object.fromEntries(flat), ...file }, limits) as Promise<
        ApiAnswer<Result<"sendDocument">>
      >;
    },
  };
}

/**
 * telegraf fetches any top-level `{ url }` and reads any `{ source }` from the disk to upload it.
 * Only `upload` uploads, a file that we name, so such a payload is a fault of ours, and the request never leaves.
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

/**
 * Takes a bot token out of any text. telegraf writes it into request URLs and hides it only in some of its errors
 * (a broken JSON answer, for one, still carries it).
 */
export function createTokenScrubber(token: string): (text: string) => string {
  const secret = token.slice(token.indexOf(":") + 1);
  const spellings = [token, encodeURIComponent(token), secret].filter((spelling) => spelling.length > 0);
  return (text) => {
    const scrubbed = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, "[token]"), text);
    return scrubbed.replaceAll(/\b(bot|user)?\d{3,}:[\w-]{20,}/g, "$1[token]");
  };
}
