import { detectLanguage } from "../../core/words/detect-language.ts";
import { wordsFor } from "../../core/words/words.ts";
import { formatMarkdown } from "../markdown/format-markdown.ts";
import { splitMarkdown } from "../markdown/split-markdown.ts";
import { splitText } from "../markdown/split-text.ts";
import type { OutboundMessage } from "../types.ts";
import { textLimit } from "./render-view.ts";

const maxNameLength = 40;

/**
 * The parts of a message. An answer of more than `documentAfter` parts (0 = any number is fine) has two: its beginning, and
 * all of it, which goes as a file. The same message always has the same parts: after a crash the outbox goes on by their number.
 */
export function splitMessage(message: OutboundMessage, documentAfter: number): readonly string[] {
  const split = (limit: number) =>
    message.plain ? splitText(message.text.toWellFormed(), limit) : splitMarkdown(message.text, limit);
  const parts = split(textLimit);
  if (message.kind !== "reply" || documentAfter === 0 || parts.length <= documentAfter) return parts;
  const note = `\n\n${wordsFor(detectLanguage(message.text, undefined, "zh")).message.wholeInFile}`;
  const [opening = ""] = split(textLimit - note.length);
  return [opening + note, message.text];
}

/** A part that goes as a file; no other can be the whole text and not the first. */
export function isWholeAnswer(
  { text }: OutboundMessage,
  part: { readonly text: string; readonly index: number },
): boolean {
  return part.index > 0 && part.text === text;
}

/** Its first line, without what file names do not take. */
export function nameAnswer({ text, plain }: OutboundMessage): string {
  const [line = ""] = (plain ? text.toWellFormed() : formatMarkdown(text.slice(0, 1_000)).text).trimStart().split("\n");
  const name = line.replaceAll(/[^\p{L}\p{N}_-]+/gu, " ").trim();
  const cut = Array.from(name).slice(0, maxNameLength).join("").trim();
  return `${cut === "" ? "answer" : cut}.${plain ? "txt" : "md"}`;
}
