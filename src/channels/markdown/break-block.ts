import type { MarkedToken, Tokens } from "marked";
import { breakParagraph, type Fragment } from "./break-paragraph.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { isMarked, keepEndSpace, lineMarks } from "../../core/persona/mark-lines.ts";
import { formatMarkdown } from "./format-markdown.ts";
import { writeFence } from "./hand-on-markdown.ts";
import { labelField } from "./lay-out-table.ts";
import { splitText } from "./split-text.ts";

/** The length that `keepEndSpace` may add. */
const endLength = `\n${lineMarks.goesOn}`.length;

type Split = (markdown: string, limit: number) => readonly string[];

/** Breaks one Markdown block that is longer than a message; `split` does the same for a whole text. */
export function breakBlock(block: MarkedToken, limit: number, split: Split): Fragment[] {
  switch (block.type) {
    case "code":
      return fenceAgain(block.text, block.lang ?? "", limit);
    case "table":
      return breakTable(block, limit, split);
    case "list":
      return block.items.flatMap((item, index) => breakItem(block, item, index, limit, split));
    case "blockquote":
      return split(block.text, limit).map((part) => ({ glue: "\n\n", markdown: part.replaceAll(/^/gm, "> ") }));
    case "paragraph":
    case "heading":
      return breakParagraph(block.tokens, limit);
    case "text":
      return breakParagraph(block.tokens ?? [block], limit);
    case "html":
    case "hr":
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
  return splitText(block.raw, limit).map((part) => ({ glue: "\n\n", markdown: escapeMarkdown(part) }));
}

/** Columns in as many fences as it takes; a table that is shown as records breaks between them. */
function breakTable(table: Tokens.Table, limit: number, split: Split): Fragment[] {
  const shown = formatMarkdown(table.raw);
  if (shown.entities.some(({ type }) => type === "pre")) return fenceAgain(shown.text, "", limit);
  const labels = table.header.map(({ text }) => labelField(text));
  return table.rows.flatMap((row) => {
    const [title = "", ...fields] = row.map(({ text }, at) => (text === "" ? "" : `${labels[at] ?? ""}${text}`));
    const record = [title === "" ? "" : `**${title}**`, ...fields].filter((line) => line !== "").join("\n");
    return split(record, limit).map((markdown) => ({ glue: "\n\n" as const, markdown }));
  });
}

/** Code in as many fences as it takes; a fence is longer than any run of backticks within. */
function fenceAgain(code: string, language: string, limit: number): Fragment[] {
  const room = isMarked(code) ? limit - endLength : limit;
  const chunks: string[] = [];
  let current: string[] = [];
  let length = 0;
  for (const line of code.split("\n").flatMap((line) => cutLine(line, limit))) {
    if (current.length > 0 && length + 1 + line.length > room) {
      chunks.push(current.join("\n"));
      current = [];
      length = 0;
    }
    length += (current.length > 0 ? 1 : 0) + line.length;
    current.push(line);
  }
  chunks.push(current.join("\n"));
  return chunks
    .filter((chunk) => chunk.trim() !== "")
    .map((chunk) => ({ glue: "\n\n", markdown: writeFence(keepEndSpace(chunk), language) }));
}

function cutLine(line: string, limit: number): string[] {
  return line.length > limit ? splitText(line, limit) : [line];
}

/** A single item keeps its place in the count, also where the source numbers every item 1. */
function breakItem(list: Tokens.List, item: Tokens.ListItem, index: number, limit: number, split: Split): Fragment[] {
  const glue = list.loose ? "\n\n" : "\n";
  const number = (typeof list.start === "number" ? list.start : 1) + index;
  const raw = item.raw.trimEnd();
  const numbered = list.ordered ? raw.replace(/^\s*\d+/, String(number)) : raw;
  if (formatMarkdown(numbered).text.length <= limit) return [{ glue, markdown: numbered }];
  const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
  const marker = escapeMarkdown(`${list.ordered ? `${number}.` : "-"} ${box}`.trim());
  return [
    { glue, markdown: marker },
    ...split(item.text, limit).map((markdown) => ({ glue: "\n\n" as const, markdown })),
  ];
}
