import { createHmac, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import type { Accounts, AccountWork } from "./account.ts";
import { createRareWarning } from "../rare-warning.ts";
import { readBody } from "../read-body.ts";
import { readEvent } from "./read-event.ts";
import { completeEvent } from "./complete-event.ts";
import { readPositiveId } from "./wire-id.ts";
import type { InboundEvent } from "../types.ts";
import { parseJson } from "../../core/parse-json.ts";

const maxBodyLength = 1024 * 1024;

/** Parts that exist only while the channel runs. */
export interface PostIntake {
  readonly work: AccountWork;
  readonly receive: (events: readonly InboundEvent[]) => Promise<void>;
}

/**
 * Events over HTTP, one a request, signed over the bytes as they came (OneBot 11, communication/http-post.md). 204 means
 * stored; a JSON answer would be a "quick operation" and act. What she says goes out through a WebSocket of that account.
 */
export function createAcceptPosts(parts: {
  readonly accessToken: string;
  readonly accounts: Accounts;
  /** Undefined when the channel does not run. */
  readonly intake: () => PostIntake | undefined;
  readonly quoteMs: number;
  readonly log: Logger;
}): MiddlewareHandler {
  const { accessToken, accounts, log } = parts;
  const warn = createRareWarning(log, "a posted event was refused: its signature is not ONEBOT_ACCESS_TOKEN's");
  const warnOfChat = createRareWarning(log, "a message was refused: its message_type is none that is known");
  return async (context) => {
    const signature = context.req.header("x-signature") ?? "";
    if (signature === "") return context.body(null, 401);
    const read = await readBody(context.req.raw, maxBodyLength);
    if (read.kind !== "read") return context.body(null, read.kind === "too-large" ? 413 : 400);
    const { body } = read;
    if (!isSignature(signature, body, accessToken)) {
      warn();
      return context.body(null, 403);
    }
    const intake = parts.intake();
    if (intake === undefined) return context.body(null, 503);
    const selfId = readPositiveId(context.req.header("x-self-id"));
    if (selfId === undefined) return context.body(null, 400);
    const sent = parseJson(body.toString("utf8"));
    if (sent === undefined) return context.body(null, 400);
    const event = readEvent(sent, selfId);
    if (event.kind === "ignored") {
      if (event.rule === "unknown_chat") warnOfChat();
      log.debug({ account: selfId, rule: event.rule }, "an event was ignored");
      return context.body(null, 204);
    }
    const account = accounts.open(selfId);
    const heard = { event, raw: sent as object };
    const stored = await intake.work.push(account, event.address.chat, {
      prepare: (signal) => completeEvent(heard, account, parts.quoteMs, signal),
      handle: (complete) => intake.receive([complete]),
    });
    return context.body(null, stored ? 204 : 503);
  };
}

/** `sha1=` and the HMAC-SHA1 of the body in hexadecimal, compared in constant time. */
function isSignature(given: string, body: Buffer, secret: string): boolean {
  const right = Buffer.from(`sha1=${createHmac("sha1", secret).update(body).digest("hex")}`);
  const theirs = Buffer.from(given.toLowerCase());
  return theirs.length === right.length && timingSafeEqual(theirs, right);
}
