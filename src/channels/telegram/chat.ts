import { readId, readRecord, type JsonRecord } from "../json-view.ts";

/**
 * A chat on Telegram, read from our own name for it. A private chat and a group are named by Telegram's number, as owners write
 * it under `groups` of channels.yaml. A person's direct messages to a channel are named `direct:CHANNEL:TOPIC`.
 */
export interface TelegramChat {
  readonly kind: "private" | "group" | "direct";
  /** Telegram's number of the chat. All direct messages to one channel share it. */
  readonly id: number;
  /** Set for direct messages only: the topic of one person. */
  readonly topic?: number;
}

/** A topic number has at most 52 bits. */
const directShape = /^direct:(-\d{1,16}):(\d{1,16})$/;

export function readChat(chat: string): TelegramChat {
  const [, channel, topic] = directShape.exec(chat) ?? [];
  if (channel !== undefined && topic !== undefined)
    return { kind: "direct", id: Number(channel), topic: Number(topic) };
  const id = Number(chat);
  return { kind: id > 0 ? "private" : "group", id };
}

/** The chat a message was sent to, or why it is refused. Direct messages also name the person the topic belongs to. */
export type ReadPlace =
  | { readonly kind: "private" | "group"; readonly chat: string }
  | { readonly kind: "direct"; readonly chat: string; readonly person: string }
  /**
   * unknown_chat = Telegram sent a kind of chat that we do not know. Its readers are unknown, so its messages are
   * ignored.
   */
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
