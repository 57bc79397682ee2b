import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { parseJson } from "../../core/parse-json.ts";
import { createRareWarning } from "../rare-warning.ts";
import { readBody } from "../read-body.ts";
import { dispatchShape, type Dispatch } from "./read-dispatch.ts";
import type { WebhookSignature } from "./webhook-signature.ts";

const maxBodyLength = 1024 * 1024;
/** A signed request that is older, or that far in the future, is a replay. */
const replayMs = 5 * 60_000;

/**
 * A plain token holds no more than letters and digits: what we sign for it can never be a signed event, whose body begins
 * with a brace. An unsigned question of this kind is answered therefore, and no other.
 */
const handshake = z.object({
  op: z.literal(13),
  d: z.object({
    plain_token: z.string().regex(/^[A-Za-z0-9]{1,64}$/),
    event_ts: z.string().regex(/^\d{1,16}$/),
  }),
});
const event = z.object({ op: z.literal(0) });
const taken = { op: 12 };

/** Events over HTTP, signed over the bytes as they came. The answer means that the event is stored. */
export function createAcceptWebhook(parts: {
  readonly signature: WebhookSignature;
  /** Undefined when the channel does not run. Answers whether the event is stored. */
  readonly take: () => ((dispatch: Dispatch) => Promise<boolean>) | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}): MiddlewareHandler {
  const { signature, clock, log } = parts;
  const warn = createRareWarning(
    log,
    "a webhook request was refused: it is not signed with QQ_APP_SECRET, or it is old",
  );
  return async (context) => {
    const read = await readBody(context.req.raw, maxBodyLength);
    if (read.kind !== "read") return context.body(null, read.kind === "too-large" ? 413 : 400);
    const given = context.req.header("x-signature-ed25519");
    const timestamp = context.req.header("x-signature-timestamp") ?? "";
    if (given !== undefined && !isFreshAndTheirs(given, timestamp, read.body)) {
      warn();
      return context.body(null, 401);
    }
    const sent = parseJson(read.body.toString("utf8"));
    if (sent === undefined && given !== undefined) return context.body(null, 400);
    const asked = handshake.safeParse(sent);
    if (asked.success) {
      const { plain_token: plainToken, event_ts: eventTime } = asked.data.d;
      return context.json({ plain_token: plainToken, signature: signature.sign(`${eventTime}${plainToken}`) });
    }
    if (given === undefined) return context.body(null, 401);
    const take = parts.take();
    if (take === undefined) return context.body(null, 503);
    if (!event.safeParse(sent).success) return context.json(taken);
    const dispatch = dispatchShape.safeParse(sent);
    if (!dispatch.success) {
      log.debug({ rule: "malformed" }, "a webhook event was ignored");
      return context.json(taken);
    }
    return (await take(dispatch.data)) ? context.json(taken) : context.body(null, 503);
  };

  function isFreshAndTheirs(given: string, timestamp: string, body: Uint8Array): boolean {
    if (!/^\d{1,12}$/.test(timestamp)) return false;
    if (Math.abs(clock.now() - Number(timestamp) * 1_000) > replayMs) return false;
    return signature.isTheirs(given, timestamp, body);
  }
}
