import type { Words } from "../core/words/dictionary.ts";
import type { InboundMessage } from "./types.ts";

/** Characters of one message that still go to the model. */
const longestMessage = 16_000;

/** Why a message is no answer to a question, whatever it says. */
export function whyNoAnswer(message: InboundMessage, words: Words): string | undefined {
  if (message.edited) return words.decision.editedIgnored;
  if (message.forwarded || message.viaBot) return words.decision.forwardedIgnored;
  if (message.caption) return words.decision.captionIgnored;
  return undefined;
}

/** A message that nothing can be done with gets one line instead of a turn. */
export function refuseMessage(message: InboundMessage, words: Words): string | undefined {
  if (message.text.length > longestMessage) {
    return words.message.tooLong({ length: message.text.length, limit: longestMessage });
  }
  // Characters nobody sees say nothing either.
  if (/[^\s\p{Cf}]/u.test(message.text)) return undefined;
  const [first] = message.attachments;
  if (first === undefined) return words.message.empty;
  return first.startsWith("sticker")
    ? words.message.stickerOnly
    : words.message.attachmentOnly(message.attachments.join("、"));
}
