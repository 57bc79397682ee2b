import type { InlineKeyboardButton, MessageEntity } from "@grammyjs/types";
import { FakeRefusal, type FakePayload } from "./fake-bot-types.ts";

/** The server's checks of what a bot sends, with the server's words where they are known. */

export interface CheckedText {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

export function checkText(payload: FakePayload, tooLong: string, mayBeEmpty = false): CheckedText {
  const { text } = payload;
  if (typeof text !== "string") throw new FakeRefusal(400, "Bad Request: message text is empty");
  if (!text.isWellFormed()) throw new FakeRefusal(400, "Bad Request: strings must be encoded in UTF-8");
  if (payload["parse_mode"] !== undefined) throw new FakeRefusal(400, "Bad Request: this fake takes entities only");
  const entities = (payload["entities"] ?? []) as readonly MessageEntity[];
  for (const entity of entities) checkEntity(text, entity);
  checkNesting(entities);
  const start = text.length - text.trimStart().length;
  const body = text.trim();
  if (body === "" && !mayBeEmpty) throw new FakeRefusal(400, "Bad Request: message text is empty");
  if (body.length > 4096) throw new FakeRefusal(400, tooLong);
  return { text: body, entities: entities.map((entity) => ({ ...entity, offset: entity.offset - start })) };
}

function checkEntity(text: string, { type, offset, length }: MessageEntity): void {
  if (typeof type !== "string" || !Number.isInteger(offset) || !Number.isInteger(length)) {
    throw new FakeRefusal(400, "Bad Request: can't parse entities: wrong fields");
  }
  if (offset < 0) throw new FakeRefusal(400, `Bad Request: receive an entity with incorrect offset ${offset}`);
  if (length <= 0) throw new FakeRefusal(400, `Bad Request: receive an entity with incorrect length ${length}`);
  const end = offset + length;
  if (end > text.length) {
    throw new FakeRefusal(
      400,
      `Bad Request: entity beginning at UTF-16 offset ${offset} ends after the end of the text at UTF-16 offset ${end}`,
    );
  }
  if (!text.slice(offset).isWellFormed())
    throw new FakeRefusal(400, "Bad Request: entity begins in a middle of a UTF-16 symbol");
  if (!text.slice(0, end).isWellFormed()) {
    throw new FakeRefusal(
      400,
      `Bad Request: entity beginning at UTF-16 offset ${offset} ends in a middle of a UTF-16 symbol`,
    );
  }
}

const quotes = new Set(["blockquote", "expandable_blockquote"]);

/** Stricter than the server, which repairs this silently: the bot should not need it. */
function checkNesting(entities: readonly MessageEntity[]): void {
  for (const [index, a] of entities.entries()) {
    for (const b of entities.slice(index + 1)) {
      const aEnd = a.offset + a.length;
      const bEnd = b.offset + b.length;
      if (a.offset >= bEnd || b.offset >= aEnd) continue;
      const nested = (a.offset <= b.offset && bEnd <= aEnd) || (b.offset <= a.offset && aEnd <= bEnd);
      if (!nested) throw new FakeRefusal(400, `Bad Request: can't parse entities: ${a.type} and ${b.type} overlap`);
      const code = [a, b].find(({ type }) => type === "code" || type === "pre");
      const other = code === a ? b : a;
      if (quotes.has(a.type) && quotes.has(b.type))
        throw new FakeRefusal(400, `Bad Request: can't parse entities: ${a.type} within ${b.type}`);
      if (code !== undefined && !quotes.has(other.type)) {
        throw new FakeRefusal(400, `Bad Request: can't parse entities: ${code.type} and ${other.type} overlap`);
      }
    }
  }
}

export function checkKeyboard(payload: FakePayload): readonly (readonly InlineKeyboardButton[])[] {
  const markup = payload["reply_markup"];
  if (markup === undefined || typeof markup !== "object" || markup === null) return [];
  if (!("inline_keyboard" in markup)) return [];
  const rows = markup.inline_keyboard as readonly (readonly InlineKeyboardButton[])[];
  for (const button of rows.flat()) {
    if (typeof button.text !== "string" || button.text.trim() === "")
      throw new FakeRefusal(400, "Bad Request: text buttons must have text");
    const data = "callback_data" in button ? Buffer.byteLength(button.callback_data) : 0;
    if (data < 1 || data > 64) throw new FakeRefusal(400, "Bad Request: BUTTON_DATA_INVALID");
    const { style } = button as { style?: unknown };
    if (style !== undefined && !["danger", "success", "primary"].some((known) => known === style)) {
      throw new FakeRefusal(400, "Bad Request: BUTTON_STYLE_INVALID");
    }
  }
  return rows.filter((row) => row.length > 0);
}

export function asksForReply(payload: FakePayload): boolean {
  const markup = payload["reply_markup"];
  return typeof markup === "object" && markup !== null && "force_reply" in markup;
}

/** Ids are numbers on the wire; a string is taken as the server does. */
export function checkChatId(payload: FakePayload): number {
  const chat = Number(payload["chat_id"]);
  if (!Number.isSafeInteger(chat) || chat === 0) throw new FakeRefusal(400, "Bad Request: chat not found");
  return chat;
}
