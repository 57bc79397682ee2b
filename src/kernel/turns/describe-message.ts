import { indentLines } from "../agent/model-text.ts";
import type { FileRecord, Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { HeardVoice } from "../files/heard-voice.ts";
import { type ReceivedFile, wordAttachments } from "../files/word-attachments.ts";
import type { InboundMessage } from "../../channels/types.ts";
import { maxForwardLength, maxQuoteLength } from "./label-message.ts";

/**
 * A message as the model reads it: the quotation, the words, then the attachments. Those of the quotation come last in
 * the lists.
 */
export function describeMessage(
  message: InboundMessage,
  given: {
    readonly received: readonly (ReceivedFile | undefined)[];
    readonly heard: readonly (HeardVoice | undefined)[];
    readonly language: Language;
  },
): string {
  const { received, heard, language } = given;
  const { attachments, quote } = message;
  const own = attachments.length;
  const quotedFiles = wordAttachments(quote?.attachments ?? [], received.slice(own), heard.slice(own), language);
  const excerpt = quote?.text.slice(0, quote.forwarded ? maxForwardLength : maxQuoteLength) ?? "";
  const quotedWords = joinParts([excerpt, joinHeard(heard.slice(own)), quotedFiles], "\n");
  const quoted = quotedWords === "" ? "" : `> ${indentLines(quotedWords, "> ")}`;
  const said = joinParts([message.text, joinHeard(heard.slice(0, own))], "\n\n");
  const words = message.forwarded || message.viaBot ? markForwarded(said, language) : said;
  return joinParts([quoted, words, wordAttachments(attachments, received, heard, language)], "\n\n");
}

/** The text of voice messages, one line each. */
export function joinHeard(heard: readonly (HeardVoice | undefined)[]): string {
  return heard.flatMap((one) => (one?.kind === "heard" ? [one.shown] : [])).join("\n");
}

const joinParts = (parts: readonly string[], between: string): string =>
  parts.filter((part) => part !== "").join(between);

/** Marks every line, so that no forwarded line passes for the sender's own. */
function markForwarded(text: string, language: Language): string {
  return text === "" ? "" : `[${wordsFor(language).sources.forwarded}]\n> ${indentLines(text, "> ")}`;
}

/** The sender seldom wrote the file, so its contents are untrusted even when the message is not. */
export function recordFile(file: ReceivedFile | undefined): FileRecord[] {
  if (file?.kind !== "saved") return [];
  const { path, bytes, mimeType, sha256 } = file;
  return [{ path, bytes, mimeType, sha256, taint: "untrusted" }];
}
