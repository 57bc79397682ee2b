import type { MessageEntity } from "@grammyjs/types";
import type { FormattedText } from "../markdown/tidy-entities.ts";
import { longestRun } from "../markdown/hand-on-markdown.ts";

const inlineMarks: Readonly<Partial<Record<MessageEntity["type"], string>>> = {
  bold: "**",
  italic: "*",
  strikethrough: "~~",
};
const quotes = new Set<MessageEntity["type"]>(["blockquote", "expandable_blockquote"]);

/**
 * Text and style as the Markdown of QQ. It is written anew, with everything escaped that is no style of ours: QQ's reader is
 * not ours, and what ours takes for words must not become a picture that QQ's servers fetch, or a mention.
 */
export function writeMarkdown({ text, entities }: FormattedText): string {
  const blocks = entities.filter(({ type }) => type === "pre" || quotes.has(type));
  let written = "";
  let end = 0;
  for (const block of blocks.toSorted((a, b) => a.offset - b.offset)) {
    if (block.offset < end) continue;
    const after = block.offset + block.length;
    written += writeInline(text, entities, end, block.offset);
    written +=
      block.type === "pre"
        ? writeFence(text.slice(block.offset, after), written)
        : writeQuote(writeInline(text, entities, block.offset, after));
    end = after;
  }
  return written + writeInline(text, entities, end, text.length);
}

/** Also for texts that have no style at all. */
export function escapeForQq(text: string): string {
  return breakCommands(text)
    .replaceAll(/[\\`*~[\]|]/g, String.raw`\$&`)
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
    .replaceAll(/^(?=[#>])/gm, "\\");
}

/** QQ takes some words in angle brackets for mentions, faces and buttons, in any text. */
export function breakCommands(text: string): string {
  return text.replaceAll(/<(?=[@#]|emoji:|qqbot-|faceType=)/gi, "<\u200B");
}

function writeInline(text: string, entities: readonly MessageEntity[], from: number, to: number): string {
  const inside = entities.filter(({ offset, length }) => offset < to && offset + length > from);
  const edges = new Set([from, to]);
  for (const { offset, length } of inside) {
    if (offset > from) edges.add(offset);
    if (offset + length < to) edges.add(offset + length);
  }
  const places = [...edges].toSorted((a, b) => a - b);
  return places
    .slice(0, -1)
    .map((start, index) => {
      const end = places[index + 1] ?? to;
      const styles = inside.filter(({ offset, length }) => offset <= start && offset + length >= end);
      return writeSegment(text.slice(start, end), styles);
    })
    .join("");
}

/** Marks stand next to letters: with white space inside they would be none. */
function writeSegment(segment: string, styles: readonly MessageEntity[]): string {
  const body = segment.trim();
  if (body === "") return segment;
  const start = segment.length - segment.trimStart().length;
  const before = segment.slice(0, start);
  const after = segment.slice(start + body.length);
  const isCode = styles.some(({ type }) => type === "code");
  let written = isCode ? writeCode(body) : escapeForQq(body);
  const link = styles.find((style) => style.type === "text_link");
  if (link) written = `[${written}](${encodeAddress(link.url)})`;
  if (!body.includes("\n\n")) {
    const marks = styles.flatMap(({ type }) => inlineMarks[type] ?? []);
    for (const mark of marks) written = `${mark}${written}${mark}`;
  }
  return `${before}${written}${after}`;
}

function writeCode(body: string): string {
  const fence = "`".repeat(longestRun(body) + 1);
  const pad = fence.length > 1 ? " " : "";
  return `${fence}${pad}${breakCommands(body)}${pad}${fence}`;
}

function writeFence(body: string, before: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(body) + 1));
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  return `${gap}${fence}\n${breakCommands(body)}\n${fence}\n`;
}

function writeQuote(body: string): string {
  return body
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function encodeAddress(url: string): string {
  return url.replaceAll(/[()<>\s\\]/g, (character) =>
    encodeURIComponent(character).replace("(", "%28").replace(")", "%29"),
  );
}
