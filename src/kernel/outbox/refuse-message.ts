import type { Words } from "../../core/words/dictionary.ts";
import { nameAttachments } from "../files/word-attachments.ts";
import type { Attachment } from "../../channels/attachment.ts";
import type { InboundMessage } from "../../channels/types.ts";

/** Characters of one message that still go to the model. */
const maxMessageLength = 16_000;

/** Why a message cannot answer a question, whatever its text. */
export function whyNoAnswer(message: InboundMessage, words: Words): string | undefined {
  if (message.edited) return words.decision.editedIgnored;
  if (message.forwarded || message.viaBot) return words.decision.forwardedIgnored;
  if (message.caption) return words.decision.captionIgnored;
  return undefined;
}

/** A message that cannot be processed gets one line instead of a turn. */
export function refuseMessage(message: InboundMessage, words: Words): string | undefined {
  if (message.text.length > maxMessageLength) {
    return words.message.tooLong({ length: message.text.length, limit: maxMessageLength });
  }
  // Invisible characters count as empty.
  if (/[^\s\p{Cf}]/u.test(message.text)) return undefined;
  // Quoted words are there to be read.
  if (message.quote !== undefined && message.quote.text.trim() !== "") return undefined;
  // A quoted picture without words is there to be looked at.
  const attachments = [...message.attachments, ...(message.quote?.attachments ?? [])];
  if (attachments.length === 0) return words.message.empty;
  if (attachments.some((attachment) => "source" in attachment || saysSomething(attachment))) return undefined;
  return words.message.attachmentOnly(nameAttachments(attachments, words));
}

/** A sticker has a meaning, and so does a card or a link that comes with text. */
function saysSomething({ kind, name = "" }: Attachment): boolean {
  return kind === "sticker" || (readable.has(kind) && name.trim() !== "");
}

const readable: ReadonlySet<Attachment["kind"]> = new Set(["card", "share", "music"]);
