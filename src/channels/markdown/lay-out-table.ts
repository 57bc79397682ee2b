import type { Tokens } from "marked";
import { countColumns } from "../../core/persona/mark-lines.ts";

/** The columns that a phone shows of a fixed-width block before it breaks the line. */
const phoneColumns = 32;

type Alignment = Tokens.Table["align"][number];

/**
 * Rows of cells as lines of equal columns; wide characters take two. Undefined when it is wider than `maxColumns`, or
 * has line breaks.
 */
export function layOutTable(
  rows: readonly (readonly string[])[],
  align: readonly Alignment[],
  maxColumns = phoneColumns,
): string | undefined {
  const [header = []] = rows;
  if (rows.some((row) => row.some((cell) => cell.includes("\n")))) return undefined;
  const widths = header.map((_, at) => Math.max(1, ...rows.map((row) => countColumns(row[at] ?? ""))));
  if (widths.reduce((sum, width) => sum + width + gap.length, -gap.length) > maxColumns) return undefined;
  const rule = widths.map((width) => "-".repeat(width));
  return [header, rule, ...rows.slice(1)]
    .map((row) => widths.map((width, at) => pad(row[at] ?? "", width, align[at] ?? null)).join(gap))
    .map((line) => line.trimEnd())
    .join("\n");
}

const gap = "  ";

function pad(cell: string, width: number, alignment: Alignment): string {
  const room = Math.max(0, width - countColumns(cell));
  const before = alignment === "right" ? room : alignment === "center" ? Math.floor(room / 2) : 0;
  return " ".repeat(before) + cell + " ".repeat(room - before);
}

/** The sign before a field of a record. */
export function labelField(label: string): string {
  return label === "" ? "" : /[^ -~]$/.test(label) ? `${label}：` : `${label}: `;
}
