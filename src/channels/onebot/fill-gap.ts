import { z } from "zod";
import type { InboundMessage } from "../types.ts";
import type { Account } from "./account.ts";
import { readChat } from "./chat.ts";
import type { HeardEvent } from "./complete-event.ts";
import type { Dialect } from "./dialect.ts";
import { readHistory, type History } from "./history.ts";
import type { OneBotLink } from "./onebot-link.ts";
import { readEvent } from "./read-event.ts";
import { readId, toWireId } from "./wire-id.ts";

/** The found part of a gap, and the rest of it. */
export interface GapReading {
  /** Oldest first. */
  readonly messages: readonly HeardEvent<InboundMessage>[];
  readonly rest:
    | { readonly kind: "none" }
    /** The gap is longer than what is read of one. */
    | { readonly kind: "too_long" }
    | Exclude<History, { readonly kind: "known" }>;
}

const pageSize = 50;
const pagesLimit = 5;

const turningPoint = z.object({
  message_seq: z.unknown().optional(),
  message_id: z.unknown().optional(),
  time: z.coerce.number().catch(0),
});

/**
 * Reads the messages of a chat since then (the platform's time, milliseconds). OneBot keeps no queue, so the history of the
 * chat is asked, newest page first; the inbox drops what it has already.
 */
export async function fillGap(parts: {
  readonly account: Pick<Account, "id" | "dialect">;
  readonly link: OneBotLink;
  readonly chat: string;
  readonly since: number;
  /** For one page. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}): Promise<GapReading> {
  const { account, link, chat, since, timeoutMs, signal } = parts;
  const found: HeardEvent<InboundMessage>[] = [];
  const finish = (rest: GapReading["rest"]): GapReading => ({
    messages: found.toSorted((a, b) => a.event.sentAt - b.event.sentAt),
    rest,
  });
  const seen = new Set<string>();
  let upTo: number | string | undefined;
  for (let page = 0; page < pagesLimit; page += 1) {
    const read = await readHistory(link, account, readChat(chat), { count: pageSize, upTo, timeoutMs, signal });
    if (read.kind !== "known") return finish(read);
    const fresh: HeardEvent<InboundMessage>[] = [];
    for (const raw of read.messages) {
      const event = readEvent(raw, account.id);
      if (event.kind !== "message" || event.sender.kind === "bot" || seen.has(event.key)) continue;
      if (event.address.chat === chat && event.sentAt >= since) fresh.push({ event, raw });
    }
    for (const { event } of fresh) seen.add(event.key);
    found.unshift(...fresh);
    const oldest = findOldest(read.messages, account.dialect);
    // No older one than last time: the history begins here.
    if (oldest === undefined || oldest.sentAt < since || oldest.place === upTo) return finish({ kind: "none" });
    upTo = oldest.place;
  }
  return finish({ kind: "too_long" });
}

/** The point to go on reading backwards from: most count by `message_seq`, which with NapCat is the message's id. */
export function findOldest(
  messages: readonly object[],
  { historyPlace }: Pick<Dialect, "historyPlace">,
): { place: number | string; sentAt: number } | undefined {
  const places = messages.flatMap((message) => {
    const { message_seq: seq, message_id: id, time } = turningPoint.parse(message);
    const place = historyPlace === "message_id" ? readId(id) : (readId(seq) ?? readId(id));
    return place === undefined ? [] : [{ place: toWireId(place), sentAt: time * 1_000 }];
  });
  return places.reduce<(typeof places)[number] | undefined>(
    (oldest, place) => (oldest === undefined || place.sentAt < oldest.sentAt ? place : oldest),
    undefined,
  );
}
