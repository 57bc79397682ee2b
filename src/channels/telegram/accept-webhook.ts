import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { isSameToken } from "../../core/check-token.ts";
import { parseJson } from "../../core/parse-json.ts";
import { createRareWarning } from "../rare-warning.ts";
import { readBody } from "../read-body.ts";
import { readUpdateId } from "./read-update.ts";

/** The largest update holds a message with its quote: some hundred kilobytes. */
const maxBodyLength = 1024 * 1024;

/** Stores an update; answers whether it is stored. */
export type TakeUpdate = (update: unknown) => Promise<boolean>;

/**
 * Updates over HTTP. A 200 means that the update is stored, and nothing else is done before it: an update that is not
 * stored gets another answer, and Telegram posts it again.
 */
export function createAcceptWebhook(parts: {
  readonly secret: string;
  /** Undefined when the channel does not run, or does not know its own name yet. */
  readonly take: () => TakeUpdate | undefined;
  readonly log: Logger;
}): MiddlewareHandler {
  const warn = createRareWarning(parts.log, "a webhook request was refused: its secret is not TELEGRAM_WEBHOOK_SECRET");
  return async (context) => {
    if (!isSameToken(context.req.header("x-telegram-bot-api-secret-token") ?? "", parts.secret)) {
      warn();
      return context.body(null, 403);
    }
    const take = parts.take();
    if (take === undefined) return context.body(null, 503);
    const read = await readBody(context.req.raw, maxBodyLength);
    if (read.kind !== "read") return context.body(null, read.kind === "too-large" ? 413 : 400);
    const update = parseJson(read.body.toString("utf8"));
    if (readUpdateId(update) === undefined) return context.body(null, 400);
    return context.body(null, (await take(update)) ? 200 : 503);
  };
}
