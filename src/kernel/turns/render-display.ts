import { formatByteSize } from "../../core/byte-size.ts";
import type { Language } from "../../core/conversation.ts";
import { countColumns } from "../../core/persona/mark-lines.ts";
import { showExcerpt } from "../../core/persona/show-payload.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { ToolDisplay, ToolOutcome } from "../tools/types.ts";

/** Calls of one turn whose result is displayed. */
export const maxDisplays = 3;

/** A quotation in our Markdown: each line has a mark, inside a fence that its content cannot close. */
export function renderDisplay(display: ToolDisplay, language: Language): string {
  const quoted = showExcerpt(toText(display), language);
  if (display.kind === "image") return quoted;
  return display.left === undefined ? quoted : `${quoted}\n${wordsFor(language).display.left(display.left)}`;
}

/** The display of a completed call. */
export function findDisplay(outcome: ToolOutcome): ToolDisplay | undefined {
  return outcome.kind === "done" ? outcome.envelope.display : undefined;
}

function toText(display: ToolDisplay): string {
  switch (display.kind) {
    case "diff":
      return display.text;
    case "image": {
      const { title, file } = display;
      return [title, ...(file ? [file.path, formatByteSize(file.bytes)] : [])].filter((part) => part !== "").join("  ");
    }
    case "table": {
      const lines = [display.header, ...display.rows];
      const widths = display.header.map((_, at) => Math.max(...lines.map((row) => countColumns(row[at] ?? ""))));
      return lines.map((row) => alignRow(row, widths)).join("\n");
    }
  }
}

/** The last column needs no padding. */
function alignRow(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, at) => cell + " ".repeat(Math.max(0, (widths[at] ?? 0) - countColumns(cell))))
    .join("  ")
    .trimEnd();
}
