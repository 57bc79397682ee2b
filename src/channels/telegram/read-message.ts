import type { ChatAddress, InboundEvent } from "../types.ts";
import { readAttachments } from "./read-attachments.ts";
import { readId, readInteger, readRecord, readText, type JsonRecord } from "../json-view.ts";
import { readMentions, type BotIdentity } from "./read-mention.ts";
import { readQuote } from "./read-quote.ts";
import { readSender } from "./read-sender.ts";

/** More than Telegram lets anybody write. */
const longestText = 32_000;

const forwardFields = [
  "forward_origin",
  "forward_from",
  "forward_from_chat",
  "forward_from_message_id",
  "forward_sender_name",
  "forward_date",
  "is_automatic_forward",
];

/** Fields every message may carry; whatever else stands in a message without content names the service it reports. */
const envelopeFields = new Set([
  ...forwardFields,
  "message_id",
  "message_thread_id",
  "is_topic_message",
  "from",
  "sender_chat",
  "sender_business_bot",
  "chat",
  "date",
  "edit_date",
  "via_bot",
  "reply_to_message",
  "external_reply",
  "quote",
  "entities",
  "caption_entities",
  "text",
  "caption",
  "sender_boost_count",
  "sender_tag",
  "business_connection_id",
  "has_protected_content",
  "author_signature",
]);

/** Reads one message of any chat. `edited` comes from the update's field, which is more reliable than `edit_date`. */
export function readMessage(key: string, message: JsonRecord, me: BotIdentity, edited: boolean): InboundEvent {
  const address = readAddress(message, me);
  const messageId = readId(message["message_id"]);
  if (address === undefined || messageId === undefined) return { kind: "ignored", key, rule: "malformed" };
  const plainText = readText(message["text"]);
  const captionText = plainText === undefined ? readText(message["caption"]) : undefined;
  const attachments = readAttachments(message);
  const body = (plainText ?? captionText)?.slice(0, longestText);
  if (body === undefined && attachments.length === 0) return { kind: "ignored", key, rule: nameService(message) };

  const entities = message[plainText === undefined ? "caption_entities" : "entities"];
  const mentions = readMentions(body ?? "", entities, me);
  const quote = readQuote(message, me);
  const chatKind = readRecord(message["chat"])?.["type"] === "private" ? "private" : "group";
  return {
    kind: "message",
    key,
    address,
    sender: readSender(message),
    sentAt: ((edited ? readInteger(message["edit_date"]) : undefined) ?? readInteger(message["date"]) ?? 0) * 1_000,
    chatKind,
    messageId,
    text: mentions.text,
    attachments,
    ...(quote === undefined ? {} : { quote }),
    addressed: chatKind === "private" || mentions.mentioned || quote?.fromUs === true,
    edited,
    forwarded: forwardFields.some((field) => message[field] !== undefined),
    caption: captionText !== undefined,
    viaBot: message["via_bot"] !== undefined,
  };
}

/** Where a message stands. A thread counts only when Telegram says it is a topic; plain reply chains have an id, too. */
export function readAddress(message: JsonRecord, me: BotIdentity): ChatAddress | undefined {
  const chat = readId(readRecord(message["chat"])?.["id"]);
  if (chat === undefined) return undefined;
  const thread = message["is_topic_message"] === true ? readId(message["message_thread_id"]) : undefined;
  return { platform: "telegram", account: me.id, chat, thread: thread ?? null };
}

function nameService(message: JsonRecord): string {
  const field = Object.keys(message).find((name) => !envelopeFields.has(name)) ?? "empty";
  return `service:${/^[a-z_]{1,64}$/.test(field) ? field : "other"}`;
}
