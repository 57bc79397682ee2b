import { type JsonRecord, readId, readInteger, readLabel, readRecord, readText } from "../json-view.ts";
import { readPlace, type ReadPlace } from "./chat.ts";
import { readAttachments } from "./read-attachments.ts";
import { type BotIdentity, readMentions } from "./read-mention.ts";
import { readSender, readUser } from "./read-sender.ts";
import type { ChatAddress, ChatChange, InboundEvent, InboundMessage } from "../types.ts";

/** More than Telegram lets a user write. */
const maxTextLength = 32_000;

const forwardFields = [
  "forward_origin",
  "forward_from",
  "forward_from_chat",
  "forward_from_message_id",
  "forward_sender_name",
  "forward_date",
  "is_automatic_forward",
];

/** Fields every message may carry; any other field of a message without content names the service it reports. */
const envelopeFields = new Set([
  ...forwardFields,
  "message_id",
  "message_thread_id",
  "direct_messages_topic",
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
  "media_group_id",
  "author_signature",
]);

/** Reads one message of any chat. `edited` comes from the update's field, which is more reliable than `edit_date`. */
export function readMessage(key: string, message: JsonRecord, me: BotIdentity, edited: boolean): InboundEvent {
  const place = readPlace(message);
  if (place.kind === "refused") return { kind: "ignored", key, rule: place.rule };
  const address = addressOf(place, message, me);
  const messageId = readId(message["message_id"]);
  if (messageId === undefined) return { kind: "ignored", key, rule: "malformed" };
  const plainText = readText(message["text"]);
  const captionText = plainText === undefined ? readText(message["caption"]) : undefined;
  const attachments = readAttachments(message);
  const body = (plainText ?? captionText)?.slice(0, maxTextLength);
  const moved = readMove(message, me);
  if (moved !== undefined)
    return { ...moved, kind: "chat", sender: readSender(message), sentAt: (readInteger(message["date"]) ?? 0) * 1_000 };
  const left = readRecord(message["left_chat_member"]);
  const gone = readId(left?.["id"]);
  // The bot's own membership arrives as my_chat_member, in every kind of chat.
  if (left !== undefined && gone !== undefined && gone !== me.id)
    return { kind: "left", key, address, sender: readUser(left), sentAt: (readInteger(message["date"]) ?? 0) * 1_000 };
  if (body === undefined && attachments.length === 0) return { kind: "ignored", key, rule: nameService(message) };

  const entities = message[plainText === undefined ? "caption_entities" : "entities"];
  const mentions = readMentions(body ?? "", entities, me);
  const quote = readQuote(message, me);
  const album = /^[\w-]{1,64}$/.exec(readText(message["media_group_id"]) ?? "")?.[0];
  const sender = readSender(message);
  // Administrators of the channel write in the same topic. Their messages are not for Kurisu.
  if (place.kind === "direct" && sender.id !== place.person) return { kind: "ignored", key, rule: "direct_of_another" };
  const chatKind = place.kind === "group" ? "group" : "private";
  const chatTitle = chatKind === "group" ? readLabel(readRecord(message["chat"])?.["title"]) : "";
  return {
    kind: "message",
    key,
    address,
    sender,
    sentAt: ((edited ? readInteger(message["edit_date"]) : undefined) ?? readInteger(message["date"]) ?? 0) * 1_000,
    chatKind,
    ...(place.kind === "direct" && { isOverlooked: true as const }),
    ...(chatTitle !== "" && { chatTitle }),
    messageId,
    text: mentions.text,
    attachments,
    ...(quote === undefined ? {} : { quote }),
    addressed: chatKind === "private" || mentions.mentioned || quote?.fromUs === true,
    edited,
    forwarded: forwardFields.some((field) => message[field] !== undefined),
    caption: captionText !== undefined,
    viaBot: message["via_bot"] !== undefined,
    // An edit of one picture's caption is no album.
    ...(album !== undefined && !edited && { album }),
  };
}

/**
 * The place of a message. A thread counts only when Telegram says it is a topic; plain reply chains have an id, too.
 */
export function readAddress(message: JsonRecord, me: BotIdentity): ChatAddress | undefined {
  const place = readPlace(message);
  return place.kind === "refused" ? undefined : addressOf(place, message, me);
}

function addressOf(place: Exclude<ReadPlace, { kind: "refused" }>, message: JsonRecord, me: BotIdentity): ChatAddress {
  const isTopic = place.kind !== "direct" && message["is_topic_message"] === true;
  const thread = isTopic ? readId(message["message_thread_id"]) : undefined;
  return { platform: "telegram", account: me.id, chat: place.chat, thread: thread ?? null };
}

function nameService(message: JsonRecord): string {
  const field = Object.keys(message).find((name) => !envelopeFields.has(name)) ?? "empty";
  return `service:${/^[a-z_]{1,64}$/.test(field) ? field : "other"}`;
}

/**
 * The message that is replied to. A reply that leads out of this chat gets an id no message of ours can have,
 * so that it never counts as an answer to one of our questions, nor as a message without a quote.
 */
function readQuote(message: JsonRecord, me: BotIdentity): InboundMessage["quote"] {
  const quoted = readText(readRecord(message["quote"])?.["text"])?.slice(0, maxTextLength);
  const reply = readRecord(message["reply_to_message"]);
  if (reply !== undefined) {
    const messageId = readId(reply["message_id"]);
    if (messageId === undefined || isTopicRoot(message, reply)) return undefined;
    const text = quoted ?? (readText(reply["text"]) ?? readText(reply["caption"]) ?? "").slice(0, maxTextLength);
    const chat = readId(readRecord(reply["chat"])?.["id"]);
    if (chat !== undefined && chat !== readId(readRecord(message["chat"])?.["id"])) {
      return { messageId: `elsewhere:${chat}:${messageId}`, fromUs: false, text };
    }
    const fromUs = readId(readRecord(reply["from"])?.["id"]) === me.id;
    const attachments = readAttachments(reply);
    return { messageId, fromUs, text, ...(attachments.length > 0 && { attachments }) };
  }
  const external = readRecord(message["external_reply"]);
  if (external !== undefined) {
    const chat = readId(readRecord(external["chat"])?.["id"]) ?? "unknown";
    const messageId = `elsewhere:${chat}:${readId(external["message_id"]) ?? "unknown"}`;
    return { messageId, fromUs: false, text: quoted ?? "" };
  }
  const story = readRecord(message["reply_to_story"]);
  if (story !== undefined) return { messageId: `story:${readId(story["id"]) ?? "unknown"}`, fromUs: false, text: "" };
  return undefined;
}

/** Every message of a topic looks like a reply to the service message that opened it, which is ours if we opened it. */
function isTopicRoot(message: JsonRecord, reply: JsonRecord): boolean {
  if (reply["forum_topic_created"] !== undefined) return true;
  return message["is_topic_message"] === true && readId(reply["message_id"]) === readId(message["message_thread_id"]);
}

/** A group became a supergroup. Both of them say so, and it is one event. */
function readMove(message: JsonRecord, me: BotIdentity): Pick<ChatChange, "key" | "address" | "change"> | undefined {
  const here = readId(readRecord(message["chat"])?.["id"]);
  const to = readId(message["migrate_to_chat_id"]);
  const from = readId(message["migrate_from_chat_id"]);
  const [chat, movedTo] = to === undefined ? [from, here] : [here, to];
  if (chat === undefined || movedTo === undefined) return undefined;
  const address = { platform: "telegram", account: me.id, chat, thread: null };
  return { key: `moved:${chat}:${movedTo}`, address, change: { kind: "moved", to: movedTo } };
}
