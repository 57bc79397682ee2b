import { readId, readRecord, type JsonRecord } from "../json-view.ts";

/**
 * Where people talk on Telegram. A person's own chat and a group are their plain number, as people write it under `groups` of
 * channels.yaml; what somebody writes to a channel directly carries a prefix and the topic that is theirs alone.
 */
export interface TelegramChat {
  readonly kind: "private" | "group" | "direct";
  /** By which the server knows the chat. Of kind direct it is one chat for everybody who writes to the channel. */
  readonly id: number;
  /** Of kind direct. */
  readonly topic?: number;
}

/** The number of a topic has 52 bits at most. */
const directShape = /^direct:(-\d{1,16}):(\d{1,16})$/;

export function readChat(chat: string): TelegramChat {
  const [, channel, topic] = directShape.exec(chat) ?? [];
  if (channel !== undefined && topic !== undefined)
    return { kind: "direct", id: Number(channel), topic: Number(topic) };
  const id = Number(chat);
  return { kind: id > 0 ? "private" : "group", id };
}

/** What a message says of its place. Of kind direct with the person whose topic it is. */
export type ReadPlace =
  | { readonly kind: "private" | "group"; readonly chat: string }
  | { readonly kind: "direct"; readonly chat: string; readonly person: string }
  /** unknown_chat = a chat of a shape that is not known: it might be anybody's, so nothing in it is taken. */
  | { readonly kind: "refused"; readonly rule: "malformed" | "unknown_chat" };

/** Source: core.telegram.org/bots/api#chat, #directmessagestopic. */
export function readPlace(message: JsonRecord): ReadPlace {
  const chat = readRecord(message["chat"]);
  const id = readId(chat?.["id"]);
  if (chat === undefined || id === undefined) return { kind: "refused", rule: "malformed" };
  const isPersons = !id.startsWith("-");
  switch (chat["type"]) {
    case "private":
      return isPersons ? { kind: "private", chat: id } : unknownChat;
    case "supergroup":
      if (chat["is_direct_messages"] === true) return isPersons ? unknownChat : readDirect(message, id);
      return isPersons ? unknownChat : { kind: "group", chat: id };
    case "group":
    case "channel":
      return isPersons || chat["is_direct_messages"] === true ? unknownChat : { kind: "group", chat: id };
    default:
      return unknownChat;
  }
}

function readDirect(message: JsonRecord, id: string): ReadPlace {
  const topic = readRecord(message["direct_messages_topic"]);
  const number = readId(topic?.["topic_id"]);
  const person = readId(readRecord(topic?.["user"])?.["id"]);
  if (number === undefined || number.startsWith("-") || person === undefined) return unknownChat;
  return { kind: "direct", chat: `direct:${id}:${number}`, person };
}

const unknownChat = { kind: "refused", rule: "unknown_chat" } as const;
