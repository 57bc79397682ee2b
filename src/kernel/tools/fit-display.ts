import type { FittedResult, ToolDisplay, ToolResult } from "./types.ts";
import { hashContent } from "../../workspace/hash-content.ts";

/** Display limits of one call: lines and characters of a diff; rows, columns and characters of a table. */
const most = { lines: 30, text: 1_200, line: 200, rows: 6, columns: 4, cell: 60, title: 100 } as const;

/**
 * Cuts the display of a result to a few lines. Hidden tools, failed calls, and diffs that a person saw in the question
 * show nothing.
 */
export function fitDisplay(
  result: ToolResult,
  {
    hidden = false,
    asked,
    confirmed = false,
  }: {
    readonly hidden?: boolean | undefined;
    readonly asked: boolean;
    /** The person who sees it approved the call. */
    readonly confirmed?: boolean;
  },
): ToolResult {
  const { display, ...rest } = result;
  if (display === undefined || !rest.ok || hidden || (asked && display.kind === "diff")) return rest;
  const fitted = display.kind === "image" ? { ...cutTitle(display), confirmed } : cutDisplay(display);
  return fitted ? { ...rest, display: fitted } : rest;
}

/** Adds a picture's path in the workspace and its digest once it is stored: a command may change the file later. */
export function placePicture(
  { parts = [] }: Pick<ToolResult & { ok: true }, "parts">,
  fitted: FittedResult,
): FittedResult {
  if (!fitted.ok || fitted.display?.kind !== "image") return fitted;
  const { display, ...rest } = fitted;
  const at = parts.findLastIndex(({ type }) => type === "image");
  const [given, kept] = [parts[at], fitted.parts?.[at]];
  if (!given || !kept) return rest;
  const sha256 = hashContent(Buffer.from(given.data, "base64"));
  return { ...rest, display: { ...display, file: { path: kept.path, bytes: kept.bytes, sha256 } } };
}

function cutTitle(display: ToolDisplay & { readonly kind: "image" }): ToolDisplay & { readonly kind: "image" } {
  return { kind: "image", title: cutText(display.title.replaceAll(/\s+/gu, " ").trim(), most.title) };
}

/** Returns undefined when there is nothing to see. */
function cutDisplay(display: Exclude<ToolDisplay, { readonly kind: "image" }>): ToolDisplay | undefined {
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

/** The leading lines that fit. */
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
