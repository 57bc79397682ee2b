import { z } from "zod";
import type { InboundMessage, StoredEvent } from "../types.ts";
import type { Account } from "./account.ts";
import { listForwards, readForwards } from "./read-forward.ts";
import { resolveQuote } from "./resolve-quote.ts";

/** An event, and what it was read from. */
export interface HeardEvent<Event extends StoredEvent = StoredEvent> {
  readonly event: Event;
  readonly raw: object;
}

const content = z.object({ message: z.unknown().optional(), raw_message: z.unknown().optional() });

/**
 * Asks for what an event only names: the message it quotes, and what a merged forward holds. The words of a forward are
 * in a message that is marked as forwarded: they are neither an order nor an answer to a question.
 */
export async function completeEvent(
  { event, raw }: HeardEvent,
  account: Account,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<StoredEvent> {
  return event.kind === "message" ? completeMessage({ event, raw }, account, timeoutMs, signal) : event;
}

async function completeMessage(
  { event, raw }: HeardEvent<InboundMessage>,
  account: Account,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<InboundMessage> {
  const { message, raw_message: code } = content.parse(raw);
  const forwards = event.forwarded ? listForwards(message ?? code) : [];
  const [complete, words] = await Promise.all([
    resolveQuote(event, account, timeoutMs, signal),
    readForwards(forwards, account, timeoutMs, signal),
  ]);
  return words === "" ? complete : { ...complete, text: [complete.text.trim(), words].filter(Boolean).join("\n") };
}
