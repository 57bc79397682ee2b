import type { ToolDisplay, ToolResult } from "./types.ts";

/** The most that one call shows: lines and characters of a difference, rows, columns and characters of a table. */
const most = { lines: 30, text: 1_200, line: 200, rows: 6, columns: 4, cell: 60 } as const;

/**
 * A result with what it shows cut to a few lines. Nothing is shown of a hidden tool, of a call that failed, and of a
 * change that a person has read in the question.
 */
export function fitDisplay(
  result: ToolResult,
  { hidden = false, asked }: { readonly hidden?: boolean | undefined; readonly asked: boolean },
): ToolResult {
  const { display, ...rest } = result;
  if (display === undefined || !rest.ok || hidden || (asked && display.kind === "diff")) return rest;
  const fitted = cutDisplay(display);
  return fitted ? { ...rest, display: fitted } : rest;
}

/** undefined = there is nothing to see. */
function cutDisplay(display: ToolDisplay): ToolDisplay | undefined {
  switch (display.kind) {
    case "diff": {
      if (display.text === "") return undefined;
      const lines = display.text.replace(/\n$/, "").split("\n");
      const kept = keepWithin(lines.slice(0, most.lines).map((line) => cutText(line, most.line)));
      return { kind: "diff", text: kept.join("\n"), ...countLeft(lines.length - kept.length) };
    }
    case "table": {
      const { header, rows } = display;
      if (rows.length === 0) return undefined;
      const kept = rows.slice(0, most.rows).map(cutRow);
      return { kind: "table", header: cutRow(header), rows: kept, ...countLeft(rows.length - kept.length) };
    }
  }
}

/** As many whole lines as fit. */
function keepWithin(lines: readonly string[]): readonly string[] {
  let length = 0;
  const over = lines.findIndex((line) => (length += line.length + 1) > most.text);
  return over < 0 ? lines : lines.slice(0, over);
}

function cutRow(row: readonly string[]): readonly string[] {
  return row.slice(0, most.columns).map((cell) =>
    cutText(
      cell
        .slice(0, 4 * most.cell)
        .replaceAll(/\s+/gu, " ")
        .trim(),
      most.cell,
    ),
  );
}

function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`;
}

function countLeft(left: number): { readonly left?: number } {
  return left > 0 ? { left } : {};
}
