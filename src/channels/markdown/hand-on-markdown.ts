import type { MarkedToken, Token, Tokenizer, Tokens } from "marked";
import { lexMarkdown, readOrTakePlain } from "./lex-markdown.ts";
import { escapeLines, escapeText, writeAddress } from "./escape-markdown.ts";

/**
 * Markdown for a client whose reader is not ours. The message is written again from our tokens, with everything escaped that is
 * no style of ours: no reader finds a picture, raw HTML or a link in it whose label is not its own address.
 */
export function handOnMarkdown(markdown: string): string {
  const source = markdown.toWellFormed();
  return readOrTakePlain(
    () => writeBlocks(lexMarkdown(source, withoutReferences)),
    () => handOnPlain(source),
  );
}

/** The part of a growing message that later words cannot change any more, written by the same rules. */
export function handOnGrowing(markdown: string): string {
  // A last line of marks alone may become anything.
  const source = markdown.toWellFormed().replace(/\n[ \t\d.)>=*+#|:-]*$/, "\n");
  return readOrTakePlain(
    () => {
      const blocks = lexMarkdown(source, withoutReferences);
      const open = blocks.findIndex((block, index) => isOpen(block, blocks.slice(index + 1, index + 3)));
      const finished = writeBlocks(blocks.slice(0, open < 0 ? undefined : open));
      const last = blocks[open];
      const isLast = last?.type === "paragraph" && open === blocks.length - 1;
      const start = isLast ? escapeText(readSentences(last.raw)) : "";
      return joinBlocks([finished, start]);
    },
    () => "",
  );
}

/** Whether later lines may change a block: the last one, and lines that may yet become one heading with the next. */
function isOpen({ raw, type }: Token, after: readonly Token[]): boolean {
  const [next] = after;
  const following = after.find((block) => block.type !== "space");
  if (type === "space") return false;
  if (type === "html" || (type === "heading" && raw.includes("\n<"))) return true;
  if (type === "paragraph") return next?.type !== "space" && (following === undefined || isLines(following));
  return following === undefined;
}

const isLines = ({ type }: Token): boolean => type === "paragraph" || type === "html";

/** A plain text: every line stays a line, and nothing in it is a style. */
export function handOnPlain(text: string): string {
  return escapeLines(text.toWellFormed());
}

/** The text in a fence that it cannot close. */
export function writeFence(text: string, language = ""): string {
  const mark = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${mark}${language}\n${text}\n${mark}`;
}

/** Definitions at the end of a text would change what precedes them. */
const withoutReferences: Pick<Tokenizer, "def" | "reflink"> = { def: () => undefined, reflink: () => undefined };

function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== "").join("\n\n");
}

function writeBlocks(blocks: readonly Token[], isNested = false): string {
  return joinBlocks(blocks.map((block) => writeBlock(block as MarkedToken, isNested)));
}

function writeBlock(block: MarkedToken, isNested: boolean): string {
  switch (block.type) {
    case "heading": {
      const text = writeInline(block.tokens).trim();
      // The underline of the other kind of heading comes after its words, which may have been shown.
      return block.raw.startsWith("#") ? `${"#".repeat(block.depth)} ${text.replaceAll("\n", " ")}`.trim() : text;
    }
    case "paragraph":
      return writeInline(block.tokens).trim();
    case "text":
      return block.tokens === undefined ? escapeText(block.text) : writeInline(block.tokens);
    case "blockquote":
      return indent(writeBlocks(block.tokens, true), "> ", "> ");
    case "list":
      return writeList(block);
    case "code": {
      const language = /^[\w+#.-]{1,30}/.exec(block.lang ?? "")?.[0] ?? "";
      return writeFence(isNested ? breakMarks(block.text) : breakPreformatted(block.text), language);
    }
    case "table":
      // The first words of a line without a mark may have been shown as a sentence.
      return block.raw.trimStart().startsWith("|") ? writeTable(block) : escapeText(block.raw.trim());
    case "hr":
      return "---";
    case "space":
      return "";
    case "html":
    case "def":
    case "list_item":
    case "br":
    case "codespan":
    case "del":
    case "em":
    case "escape":
    case "image":
    case "link":
    case "strong":
      break;
  }
  return escapeText(block.raw.trim());
}

function writeList(list: Tokens.List): string {
  const first = typeof list.start === "number" ? list.start : 1;
  return list.items
    .map((item, index) => {
      const marker = list.ordered ? `${first + index}. ` : "- ";
      const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
      return indent(box + writeBlocks(item.tokens, true), marker, " ".repeat(marker.length));
    })
    .join("\n");
}

function indent(text: string, first: string, others: string): string {
  return text
    .split("\n")
    .map((line, index) => ((index === 0 ? first : others) + line).trimEnd())
    .join("\n");
}

function writeTable({ align, header, rows }: Tokens.Table): string {
  const writeRow = (cells: readonly Tokens.TableCell[]) =>
    `| ${cells.map(({ tokens }) => writeInline(tokens).replaceAll("\n", " ").trim()).join(" | ")} |`;
  const marks = { left: ":--", right: "--:", center: ":-:" };
  const line = `| ${align.map((side) => (side === null ? "---" : marks[side])).join(" | ")} |`;
  return [writeRow(header), line, ...rows.map(writeRow)].join("\n");
}

function writeInline(tokens: readonly Token[]): string {
  let written = "";
  let isAddress = false;
  /** No space since the last address: readers differ on which of these letters belong to it. */
  let isNearAddress = false;
  for (const token of tokens) {
    const span = writeSpan(token as MarkedToken);
    // Some readers take a mark behind a backslash for escaped, though the backslash itself is.
    if (written.endsWith("\\") && /^[`*~]/.test(span)) written += "\u200B";
    // Readers that look for bare addresses end one at a space.
    if (isAddress ? /^[^\s.,;:!?)]/.test(span) : isNearAddress && /^[`*~]/.test(span)) written += " ";
    written += span;
    isAddress = token.type === "link" || token.type === "image";
    isNearAddress = isAddress || (isNearAddress && !/\s/.test(span));
  }
  return written;
}

function writeSpan(token: MarkedToken): string {
  switch (token.type) {
    case "strong":
      return mark("**", writeInline(token.tokens));
    case "em":
      return mark("*", writeInline(token.tokens));
    case "del":
      return token.raw.startsWith("~~") ? mark("~~", writeInline(token.tokens)) : `\\~${writeInline(token.tokens)}\\~`;
    case "codespan":
      return writeCode(token.text);
    case "link":
      return nameAddress(writeInline(token.tokens), token.href, token.raw);
    case "image":
      return nameAddress(escapeText(token.text), token.href, token.raw);
    case "br":
      return "  \n";
    case "escape":
    case "text":
      return escapeText(token.text);
    case "html":
    case "blockquote":
    case "code":
    case "def":
    case "heading":
    case "hr":
    case "list":
    case "list_item":
    case "paragraph":
    case "space":
    case "table":
      break;
  }
  return escapeText(token.raw);
}

/** Marks must be next to letters: with white space inside they would not count as marks. */
function mark(sign: string, inside: string): string {
  const body = inside.trim();
  return body === "" ? inside : inside.replace(body, () => `${sign}${body}${sign}`);
}

/** The address is shown next to its label, never behind it; a bare address is its own label. */
function nameAddress(label: string, href: string, raw: string): string {
  if (!raw.startsWith("[") && !raw.startsWith("!")) return escapeText(raw).replace(/&(?=#?\w+$)/, "&amp;");
  const address = writeAddress(href).replaceAll("(", "%28").replaceAll(")", "%29");
  return label.trim() === "" || label === address ? address : `${label} (${address})`;
}

function writeCode(code: string): string {
  const body = breakMarks(code.replaceAll(/\s*\n\s*/g, " ")).replaceAll("|", "\u00A6");
  const fence = "`".repeat(longestRun(body) + 1);
  const pad = /^`|`$/.test(body) ? " " : "";
  return `${fence}${pad}${body}${pad}${fence}`;
}

/** Where readers disagree on what is code, nothing in it is a link or a picture either. */
function breakMarks(code: string): string {
  return code.replaceAll(/\](?=[([:])|!(?=\[)|<(?=[a-z/!?$])/gi, "$&\u200B");
}

/** Some readers look for this HTML before they look for fences. */
function breakPreformatted(code: string): string {
  return code.replaceAll(/^( {0,3}<)(?=pre\b)/gim, "$1\u200B");
}

/** The longest run of backticks. */
export function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** The first sentences, up to a sign that may become a style, or a list, with more words. */
function readSentences(paragraph: string): string {
  const text = paragraph.trimStart();
  const loud = text.search(/[*_~`<[\]!|\\&\n@]|https?:|www\./i);
  const quiet = loud < 0 ? text : text.slice(0, loud);
  const ends = ["。", "！", "？", "…", ". "].map((sign) => quiet.lastIndexOf(sign));
  const sentences = quiet.slice(0, Math.max(quiet.endsWith(".") ? quiet.length - 1 : -1, ...ends) + 1);
  return /^\d{1,9}\.$/.test(sentences) ? "" : sentences;
}
