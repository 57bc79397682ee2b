import type { InboundEvent } from "../types.ts";
import { readArray, readId, readInteger, readRecord, readText, type JsonRecord } from "../json-view.ts";
import { readPlace } from "./chat.ts";
import { readAddress, readMessage } from "./read-message.ts";
import type { BotIdentity } from "./read-mention.ts";
import { readSender, readUser } from "./read-sender.ts";

/** Updates of Bot API 10.3 that ask nothing of us; each is ignored under its own name. */
const quietFields = new Set([
  "chat_join_request",
  "chat_boost",
  "removed_chat_boost",
  "message_reaction_count",
  "inline_query",
  "chosen_inline_result",
  "shipping_query",
  "pre_checkout_query",
  "purchased_paid_media",
  "poll",
  "poll_answer",
  "business_connection",
  "business_message",
  "edited_business_message",
  "deleted_business_messages",
  "guest_message",
  "managed_bot",
  "subscription",
]);

/** The update's number, which also moves the offset; undefined when there is none. */
export function readUpdateId(update: unknown): number | undefined {
  return readInteger(readRecord(update)?.["update_id"]);
}

/**
 * An update of the Bot API as an event of ours. Pure, and total: any JSON gets an answer. `receivedAt` (milliseconds)
 * dates a button press, which has no time of its own.
 */
export function readUpdate(update: unknown, me: BotIdentity, receivedAt: number): InboundEvent {
  const record = readRecord(update) ?? {};
  const id = readUpdateId(update);
  const key = `update:${id ?? "none"}`;
  if (id === undefined) return { kind: "ignored", key, rule: "malformed" };
  const field = Object.keys(record).find((name) => name !== "update_id") ?? "";
  if (quietFields.has(field)) return { kind: "ignored", key, rule: field };
  const read = Object.hasOwn(readers, field) ? readers[field] : undefined;
  if (read === undefined)
    return { kind: "ignored", key, rule: `unknown:${/^\w{1,64}$/.test(field) ? field : "unnamed"}` };
  const content = readRecord(record[field]);
  return content === undefined ? { kind: "ignored", key, rule: "malformed" } : read(key, content, me, receivedAt);
}

type Reader = (key: string, content: JsonRecord, me: BotIdentity, receivedAt: number) => InboundEvent;

const readNew: Reader = (key, content, me) => readMessage(key, content, me, false);
const readEdited: Reader = (key, content, me) => readMessage(key, content, me, true);

/** A reader per field of an update. */
const readers: Readonly<Record<string, Reader>> = {
  message: readNew,
  channel_post: readNew,
  edited_message: readEdited,
  edited_channel_post: readEdited,
  message_reaction: readReaction,
  callback_query: readPress,
  my_chat_member: readMembership,
  chat_member: readLeaving,
  stopped_message_generation: readStop,
};

const maxReactions = 20;

/** A person's reactions under a message. Telegram names no topic, and custom emoji have no sign that could be read. */
function readReaction(key: string, content: JsonRecord, me: BotIdentity): InboundEvent {
  const address = readAddress(content, me);
  const messageId = readId(content["message_id"]);
  const date = readInteger(content["date"]) ?? 0;
  const all = readArray(content["new_reaction"]).slice(0, maxReactions);
  const emoji = all.flatMap((one) => readText(readRecord(one)?.["emoji"]) ?? []).filter((sign) => isEmoji.test(sign));
  if (address === undefined) return refusePlace(key, content);
  if (messageId === undefined) return { kind: "ignored", key, rule: "malformed" };
  if (all.length > 0 && emoji.length === 0) return { kind: "ignored", key, rule: "custom_reaction" };
  const user = readRecord(content["user"]);
  // A reaction in the name of a chat has no person as its sender.
  const sender = readSender(user === undefined ? { sender_chat: content["actor_chat"] ?? {} } : { from: user });
  return { kind: "reaction", key, address, sender, sentAt: date * 1_000, messageId, emoji };
}

/** A single sign, which may have several code points. */
const isEmoji = /^\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200D|\uFE0F){0,11}$/u;

/** Ours have 64 bytes at most, and Telegram's ids are shorter. */
const maxPressLength = 256;

/** The presser (`from`) is what the platform vouches for. The message may be an inaccessible stub: it still has ids. */
function readPress(key: string, query: JsonRecord, me: BotIdentity, receivedAt: number): InboundEvent {
  const pressId = readText(query["id"]);
  const user = readRecord(query["from"]);
  const message = readRecord(query["message"]);
  if (message === undefined) return { kind: "ignored", key, rule: "press_without_message" };
  const address = readAddress(message, me);
  if (address === undefined) return refusePlace(key, message);
  const messageId = readId(message["message_id"]);
  const data = readText(query["data"]);
  if (data === undefined) return { kind: "ignored", key, rule: "press_without_data" };
  if (data.length > maxPressLength || (pressId?.length ?? 0) > maxPressLength)
    return { kind: "ignored", key, rule: "malformed" };
  if (pressId === undefined || user === undefined || messageId === undefined) {
    return { kind: "ignored", key, rule: "malformed" };
  }
  return { kind: "press", key, address, sender: readUser(user), sentAt: receivedAt, messageId, data, pressId };
}

/** Our own place in a chat. Blocked in private = `kicked`; a restricted member may still be there. */
function readMembership(key: string, update: JsonRecord, me: BotIdentity): InboundEvent {
  const address = readAddress({ chat: update["chat"] }, me);
  const user = readRecord(update["from"]);
  const [before, after] = [update["old_chat_member"], update["new_chat_member"]].map(isThere);
  if (address === undefined) return refusePlace(key, update);
  if (user === undefined || before === undefined || after === undefined)
    return { kind: "ignored", key, rule: "malformed" };
  if (before === after) return { kind: "ignored", key, rule: "my_chat_member" };
  const status = readText(readRecord(update["new_chat_member"])?.["status"]) ?? "";
  const change = after ? ({ kind: "back" } as const) : ({ kind: "gone", reason: status } as const);
  const sentAt = (readInteger(update["date"]) ?? 0) * 1_000;
  return { kind: "chat", key, address, sender: readUser(user), sentAt, change };
}

/** Membership of other users, which Telegram reports to bots that run the group. Joining is ignored. */
function readLeaving(key: string, update: JsonRecord, me: BotIdentity): InboundEvent {
  const address = readAddress({ chat: update["chat"] }, me);
  const member = readRecord(update["new_chat_member"]);
  const user = readRecord(member?.["user"]);
  const after = isThere(member);
  if (address === undefined) return refusePlace(key, update);
  if (readId(user?.["id"]) === undefined || user === undefined || after === undefined)
    return { kind: "ignored", key, rule: "malformed" };
  if (after) return { kind: "ignored", key, rule: "chat_member" };
  const sentAt = (readInteger(update["date"]) ?? 0) * 1_000;
  return { kind: "left", key, address, sender: readUser(user), sentAt };
}

/** Why nothing is taken from that place. */
function refusePlace(key: string, content: JsonRecord): InboundEvent {
  const place = readPlace(content);
  return { kind: "ignored", key, rule: place.kind === "refused" ? place.rule : "malformed" };
}

function isThere(member: unknown): boolean | undefined {
  const record = readRecord(member);
  switch (readText(record?.["status"])) {
    case "creator":
    case "administrator":
    case "member":
      return true;
    case "restricted":
      return record?.["is_member"] === true;
    case "left":
    case "kicked":
      return false;
    case undefined:
    default:
      return undefined;
  }
}

/** The prefix precedes the draft's number; only the channel can map that to a turn. */
export const draftPrefix = "draft:";

/** Drafts are shown in private chats only: the one who pressed is the one who is there. */
function readStop(key: string, press: JsonRecord, me: BotIdentity, receivedAt: number): InboundEvent {
  const chat = readRecord(press["chat"]);
  const address = readAddress({ ...press, is_topic_message: true }, me);
  const draft = readInteger(press["draft_id"]);
  if (chat === undefined || address === undefined || draft === undefined || chat["type"] !== "private")
    return { kind: "ignored", key, rule: "malformed" };
  return { kind: "stop", key, address, sender: readUser(chat), sentAt: receivedAt, turn: `${draftPrefix}${draft}` };
}
