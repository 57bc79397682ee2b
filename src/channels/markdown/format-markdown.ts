import { blockquote, bold, code, italic, join, link, pre, strikethrough } from "@gramio/format";
import type { MessageEntity } from "@grammyjs/types";
import type { MarkedToken, Token, Tokens } from "marked";
import { labelField, layOutTable } from "./lay-out-table.ts";
import { lexMarkdown, readOrTakePlain } from "./lex-markdown.ts";
import { type FormattedText, tidyEntities } from "./tidy-entities.ts";

type Styled = ReturnType<typeof join>;

/** Addresses Telegram makes a link of; anything else stays text. */
const linkable = /^(https?|tg|mailto|tel):/i;

/**
 * Markdown as text and entities. `@gramio/format` builds them; the walk is ours because its own Markdown reader loses
 * task boxes, the depth of lists, the line break before code in a list, and takes `10~20` for crossed out.
 */
export function formatMarkdown(markdown: string): FormattedText {
  const source = markdown.toWellFormed();
  return readOrTakePlain(
    () => {
      const styled = walkBlocks(lexMarkdown(source), "");
      return tidyEntities(styled.text, styled.entities as readonly MessageEntity[]);
    },
    () => tidyEntities(source, []),
  );
}

function walkBlocks(blocks: readonly Token[], indent: string): Styled {
  const parts: (Styled | string)[] = [];
  let separator = "";
  for (const block of blocks) {
    if (block.type === "space") {
      separator = "\n\n";
      continue;
    }
    parts.push(separator, walkBlock(block as MarkedToken, indent));
    separator = endsWithBlankLine(block.raw) ? "\n\n" : "\n";
  }
  return join(parts, "");
}

function walkBlock(block: MarkedToken, indent: string): Styled | string {
  switch (block.type) {
    case "heading":
      return bold(walkInline(block.tokens));
    case "paragraph":
      return walkInline(block.tokens);
    case "text":
      return block.tokens === undefined ? block.text : walkInline(block.tokens);
    case "blockquote":
      return blockquote(walkBlocks(block.tokens, ""));
    case "list":
      return walkList(block, indent);
    case "code":
      return pre(block.text, block.lang?.trim().split(/\s/)[0] || undefined);
    case "table":
      return walkTable(block);
    case "hr":
      return "———";
    case "html":
    case "space":
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
  return block.raw.trimEnd();
}

function walkList(list: Tokens.List, indent: string): Styled {
  const first = typeof list.start === "number" ? list.start : 1;
  const items = list.items.map((item, index) => {
    const marker = list.ordered ? `${first + index}. ` : "- ";
    const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
    return join([indent, marker, box, walkBlocks(item.tokens, `${indent}  `)], "");
  });
  return join(items, list.loose ? "\n\n" : "\n");
}

/** Columns where they fit and hide no address; else a record a row: its first cell, then a line for each of the others. */
function walkTable({ header, rows, align }: Tokens.Table): Styled {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => walkInline(tokens)));
  const texts = cells.map((row) => row.map(String));
  const hasLink = cells.some((row) => row.some(({ entities }) => entities.some(({ type }) => type === "text_link")));
  const columns = hasLink ? undefined : layOutTable(texts, align);
  if (columns !== undefined) return pre(columns);
  const [labels = []] = texts;
  const records = cells.slice(1).map((row) => {
    const lines = row.map((cell, at) => (String(cell) === "" ? "" : join([labelField(labels[at] ?? ""), cell], "")));
    const [title = "", ...fields] = lines;
    return join(
      [title === "" ? "" : bold(title), ...fields].filter((line) => line !== ""),
      "\n",
    );
  });
  return join(records.length === 0 ? labels : records, "\n\n");
}

function walkInline(tokens: readonly Token[]): Styled {
  return join(
    tokens.map((token) => walkSpan(token as MarkedToken)),
    "",
  );
}

function walkSpan(token: MarkedToken): Styled | string {
  switch (token.type) {
    case "strong":
      return bold(walkInline(token.tokens));
    case "em":
      return italic(walkInline(token.tokens));
    case "del":
      // A single tilde is a range in Chinese and Japanese (10~20), never a deletion.
      return token.raw.startsWith("~~")
        ? strikethrough(walkInline(token.tokens))
        : join(["~", walkInline(token.tokens), "~"], "");
    case "codespan":
      return code(token.text);
    case "link":
      return walkLink(walkInline(token.tokens), token.href);
    case "image":
      return walkLink(token.text === "" ? token.href : token.text, token.href);
    case "br":
      return "\n";
    case "escape":
    case "text":
      return token.text;
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
  return token.raw;
}

/** A bare address needs no entity: the server finds it by itself. */
function walkLink(label: Styled | string, href: string): Styled | string {
  const text = label.toString();
  if (!linkable.test(href) || href === text || href === `http://${text}` || href === `mailto:${text}`) return label;
  return link(label, href);
}

/** Two line breaks in the white space at the end. */
export function endsWithBlankLine(text: string): boolean {
  const end = text.slice(text.trimEnd().length);
  return end.indexOf("\n") !== end.lastIndexOf("\n");
}
