import { z } from "zod";
import type { InboundMessage } from "../types.ts";
import type { Account } from "./account.ts";
import { readContent } from "./read-content.ts";
import { listForwards, readForwards } from "./read-forward.ts";
import { readSegments } from "./read-segments.ts";
import { readId, readPositiveId, toWireId } from "./wire-id.ts";

const message = z.object({
  message_type: z.unknown().optional(),
  user_id: z.unknown().optional(),
  target_id: z.unknown().optional(),
  group_id: z.unknown().optional(),
  sender: z.object({ user_id: z.unknown().optional() }).catch({ user_id: undefined }),
  message: z.unknown().optional(),
});
const excerpt = 1_000;

/**
 * Looks up the author and the words of the quoted message: from memory if it is ours, else asked for. A reply to us
 * addresses us.
 */
export async function resolveQuote(
  event: InboundMessage,
  account: Account,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<InboundMessage> {
  const id = event.quote?.messageId;
  if (id === undefined || readId(id) === undefined) return event;
  const own = account.sent.find(event.address.chat, id);
  const quote = own === undefined ? await ask(event, id, account, timeoutMs, signal) : { fromUs: true, text: own };
  return { ...event, quote: { messageId: id, ...quote }, addressed: event.addressed || quote.fromUs };
}

async function ask(
  event: InboundMessage,
  id: string,
  account: Account,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Omit<NonNullable<InboundMessage["quote"]>, "messageId">> {
  const unknownQuote = { fromUs: false, text: "" };
  const answer = await account.link?.call("get_msg", { message_id: toWireId(id) }, timeoutMs, signal);
  const read = message.safeParse(answer?.kind === "ok" ? answer.data : undefined);
  if (!read.success) return unknownQuote;
  const { message_type: type, user_id: user, target_id: target, sender, group_id: group, message: content } = read.data;
  const writer = readId(sender.user_id) ?? readId(user);
  // Our own private message belongs to the chat of its receiver.
  const peer = writer === account.id ? (readId(target) ?? event.sender.id) : writer;
  const place = readPositiveId(group);
  // Ids belong to the whole account: one of another chat is no message people here could have read.
  const isHere =
    event.chatKind === "group"
      ? place === event.address.chat
      : type === "private" && place === undefined && peer === event.sender.id;
  if (!isHere) return unknownQuote;
  const { text, attachments } = readContent(readSegments(content) ?? [], account.id);
  const fromUs = writer === account.id;
  const forwards = await readForwards(fromUs ? [] : listForwards(content), account, timeoutMs, signal);
  if (forwards !== "") return { fromUs, text: forwards, forwarded: true };
  const words = { fromUs, text: text.slice(0, excerpt).toWellFormed() };
  return { ...words, ...(attachments.length > 0 && { attachments }) };
}
