import type { Tokens } from "marked";
import { formatMarkdown } from "../../channels/markdown/format-markdown.ts";
import { labelField, layOutTable } from "../../channels/markdown/lay-out-table.ts";
import { lexMarkdown, readOrTakePlain } from "../../channels/markdown/lex-markdown.ts";
import { wrapText } from "./wrap-text.ts";

/**
 * The rows of a Markdown table in columns of equal width, or, where the terminal is too narrow, as records of one field a line.
 * Lines that are no table stay as they are.
 */
export function renderTable(lines: readonly string[], columns: number, paint: (header: string) => string): string {
  const markdown = lines.join("\n");
  const token = readOrTakePlain(
    () => lexMarkdown(markdown)[0],
    () => undefined,
  );
  if (token?.type !== "table") return `${wrapText(markdown, { columns })}\n`;
  const { align, header, rows } = token as Tokens.Table;
  const cells = [header, ...rows].map((row) => row.map(({ text }) => formatMarkdown(text).text));
  const [labels = []] = cells;
  const laid = layOutTable(cells, align, columns - 1);
  if (laid !== undefined) {
    const [first = "", ...rest] = laid.split("\n");
    return `${[paint(first), ...rest].join("\n")}\n`;
  }
  const records = cells
    .slice(1)
    .map((row) => row.map((cell, at) => `${labelField(labels[at] ?? "")}${cell}`).join("\n"))
    .join("\n\n");
  return `${wrapText(records, { columns, hang: 2 })}\n`;
}
