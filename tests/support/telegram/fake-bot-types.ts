import type { InlineKeyboardButton, MessageEntity, Update, User } from "@grammyjs/types";

/** A message as it stands in a chat now. */
export interface FakeMessage {
  readonly chat: number;
  readonly messageId: number;
  readonly fromBot: boolean;
  readonly thread: number | undefined;
  /** Of the direct messages of a channel: whose they are. */
  topic?: number;
  readonly replyTo: number | undefined;
  readonly forceReply: boolean;
  /** A file that the bot sent; the text is its caption. */
  readonly document?: { readonly name: string; readonly content: Buffer };
  text: string;
  entities: readonly MessageEntity[];
  /** Rows of buttons; [] when there are none. */
  keyboard: readonly (readonly InlineKeyboardButton[])[];
  /** Every text it had, oldest first. */
  readonly texts: string[];
}

/** One request the bot made, in order. `status` is 0 while it runs and when the connection was dropped. */
export interface FakeCall {
  readonly method: string;
  readonly payload: Readonly<Record<string, unknown>>;
  status: number;
  description: string;
}

export interface FakePerson {
  readonly id: number;
  readonly name?: string;
  readonly username?: string;
  readonly isBot?: boolean;
  readonly locale?: string;
}

export interface FakeText {
  /** Positive = the private chat with that person, negative = a group. */
  readonly chat: number;
  /** In a private chat the person of that id by default. */
  readonly from?: FakePerson;
  readonly text: string;
  readonly chatType?: "private" | "group" | "supergroup";
  readonly replyTo?: number;
  readonly thread?: number;
  /** The chat is the direct messages of a channel; the first one who writes in a topic is the person it belongs to. */
  readonly topic?: number;
  readonly entities?: readonly MessageEntity[];
  /** More fields of the message, such as `forward_origin`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A file that a person sends. */
export interface FakeFile {
  readonly content: Uint8Array;
  readonly name?: string;
  readonly mimeType?: string;
  /** What the update says of its size; its true size by default. */
  readonly claimedBytes?: number;
}

export interface FakeFileMessage extends FakeFile, Omit<FakeText, "text" | "entities"> {
  readonly caption?: string;
  readonly field?: "document" | "photo" | "voice" | "audio" | "video" | "animation";
}

export interface FakePress {
  readonly chat: number;
  readonly messageId: number;
  /** The label or the callback data of a button that is there now. */
  readonly button: string;
  readonly from?: FakePerson;
}

/** What happens to one call instead of, or besides, being answered. */
export type FakeFault =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly description?: string;
      readonly parameters?: Readonly<Record<string, number>>;
    }
  /** The connection breaks; with `taken` the call has its effect first. */
  | { readonly kind: "drop"; readonly taken: boolean }
  /** No answer comes at all, until the bot gives up. */
  | { readonly kind: "hang" };

export type FakeUpdate = Omit<Update, "update_id"> & { readonly update_id?: number };

/** A refusal in Telegram's words. */
export class FakeRefusal extends Error {
  readonly status: number;
  readonly parameters: Readonly<Record<string, number>> | undefined;

  constructor(status: number, description: string, parameters?: Readonly<Record<string, number>>) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}

export type FakePayload = Readonly<Record<string, unknown>>;

export function toUser(person: FakePerson): User {
  return {
    id: person.id,
    is_bot: person.isBot ?? false,
    first_name: person.name ?? `Person ${person.id}`,
    ...(person.username === undefined ? {} : { username: person.username }),
    ...(person.locale === undefined ? {} : { language_code: person.locale }),
  };
}
