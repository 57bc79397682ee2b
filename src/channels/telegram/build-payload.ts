import type { InlineKeyboardMarkup, MessageEntity } from "@grammyjs/types";
import type { ChatAddress, Choice } from "../types.ts";
import type { Payload } from "./bot-api.ts";
import { readChat } from "./chat.ts";
import type { FormattedText } from "../markdown/tidy-entities.ts";

/** Every payload that leaves is made here, field by field. */

type ReplyMarkup = NonNullable<Payload<"sendMessage">["reply_markup"]>;

export interface SendExtras {
  /** The platform message to answer; it may be gone by now. */
  readonly replyTo?: string;
  readonly replyMarkup?: ReplyMarkup;
}

/** Source: core.telegram.org/bots/api#inlinekeyboardbutton. */
export const callbackDataLimit = 64;
const buttonsPerRow = 3;
/** A longer label would be cut when it shares a row. */
const maxSharedLength = 12;

export function buildSendMessage(
  address: ChatAddress,
  content: FormattedText,
  extras: SendExtras,
): Payload<"sendMessage"> {
  return {
    ...buildPlace(address),
    ...buildText(content),
    link_preview_options: { is_disabled: true },
    ...buildReply(extras.replyTo),
    ...(extras.replyMarkup === undefined ? {} : { reply_markup: extras.replyMarkup }),
  };
}

/** Source: core.telegram.org/bots/api#senddocument. */
const captionLimit = 1_024;

/** At most so many UTF-16 units, no half character. */
export function cutText(text: string, limit: number): string {
  return text
    .toWellFormed()
    .slice(0, limit)
    .replace(/[\uD800-\uDBFF]$/, "");
}

/** The payload beside a file. */
export function buildSendDocument(
  address: ChatAddress,
  caption: string,
  replyTo: string | undefined,
): Omit<Payload<"sendDocument">, "document"> {
  const text = cutText(caption, captionLimit).trim();
  return {
    ...buildPlace(address),
    ...(text !== "" && { caption: text }),
    // The bytes arrive as they are, also those of a picture or an animation.
    disable_content_type_detection: true,
    ...buildReply(replyTo),
  };
}

/** The same beside a picture or a voice message. */
export function buildSendPhoto(...given: Parameters<typeof buildSendDocument>): ReturnType<typeof buildSendDocument> {
  const { disable_content_type_detection: _, ...payload } = buildSendDocument(...given);
  return payload;
}

/** Without a keyboard the buttons the message had go away. */
export function buildEditText(
  address: ChatAddress,
  messageId: string,
  content: FormattedText,
  keyboard: InlineKeyboardMarkup = { inline_keyboard: [] },
): Payload<"editMessageText"> {
  return {
    chat_id: readChat(address.chat).id,
    message_id: Number(messageId),
    ...buildText(content),
    link_preview_options: { is_disabled: true },
    reply_markup: keyboard,
  };
}

export function buildDraft(address: ChatAddress, draftId: number, content: FormattedText): Payload<"sendMessageDraft"> {
  return {
    chat_id: readChat(address.chat).id,
    ...buildTopic(address),
    draft_id: draftId,
    can_stop: true,
    ...buildText(content),
  };
}

export function buildTyping(address: ChatAddress): Payload<"sendChatAction"> {
  return { chat_id: readChat(address.chat).id, ...buildTopic(address), action: "typing" };
}

/** Answers undefined when a choice cannot be a button: data of 1 to 64 bytes, and a label. */
export function buildKeyboard(choices: readonly Choice[]): InlineKeyboardMarkup | undefined {
  const fits = choices.every(({ label, data }) => {
    const size = Buffer.byteLength(data);
    return label.trim() !== "" && size >= 1 && size <= callbackDataLimit;
  });
  if (!fits) return undefined;
  const buttons = choices.map(({ label, data, style }) => ({
    text: label,
    callback_data: data,
    ...buttonStyles[style],
  }));
  const perRow =
    buttons.length > buttonsPerRow || buttons.every(({ text }) => text.length <= maxSharedLength) ? buttonsPerRow : 1;
  const rows = Array.from({ length: Math.ceil(buttons.length / perRow) }, (_, row) =>
    buttons.slice(row * perRow, (row + 1) * perRow),
  );
  return { inline_keyboard: rows };
}

/** Colours of Bot API 9.4; older clients show plain buttons. */
const buttonStyles = { approve: { style: "success" }, reject: { style: "danger" }, plain: {} } as const;

function buildText({ text, entities }: FormattedText): { text: string; entities?: MessageEntity[] } {
  return entities.length === 0 ? { text } : { text, entities: [...entities] };
}

/** Where a new message goes. Edits and deletions need the chat and the message id only. */
function buildPlace(address: ChatAddress): {
  chat_id: number;
  direct_messages_topic_id?: number;
  message_thread_id?: number;
} {
  const { id, topic } = readChat(address.chat);
  return { chat_id: id, ...(topic !== undefined && { direct_messages_topic_id: topic }), ...buildTopic(address) };
}

function buildTopic({ thread }: ChatAddress): { message_thread_id?: number } {
  return thread === null ? {} : { message_thread_id: Number(thread) };
}

function buildReply(replyTo: string | undefined): {
  reply_parameters?: { message_id: number; allow_sending_without_reply: true };
} {
  const id = Number(replyTo ?? Number.NaN);
  return Number.isSafeInteger(id) ? { reply_parameters: { message_id: id, allow_sending_without_reply: true } } : {};
}
