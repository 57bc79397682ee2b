import type { ImportReport } from "../import/import-messages.ts";
import { toTerminalLine } from "../../../kernel/command-line/to-terminal-text.ts";

/** A line on a terminal that says how far an import is; nothing anywhere else. */
export interface ImportProgress {
  /** `part` from 0 to 1. */
  show(report: ImportReport, part: number): void;
  clear(): void;
}

const everyMs = 100;
const width = 24;
const maxPlaces = 10;

export function createImportProgress(what: string): ImportProgress {
  const output = process.stderr;
  let shownAt = 0;
  let isShown = false;
  return {
    show(report, part) {
      const now = Date.now();
      if (!output.isTTY || now - shownAt < everyMs) return;
      shownAt = now;
      isShown = true;
      const done = Math.min(width, Math.floor(part * width));
      const bar = `${"█".repeat(done)}${"░".repeat(width - done)} ${String(Math.floor(Math.min(1, part) * 100)).padStart(3)}%`;
      output.write(`\r\u001B[K${bar}  ${toTerminalLine(what).slice(0, 40)}  ${describe(report)}`);
    },
    clear() {
      if (isShown) output.write("\r\u001B[K");
    },
  };
}

/** Prints the end of an import: one line, followed by what could not be read; or one JSON line. */
export function printImport(
  { file, format }: { readonly file: string; readonly format: string },
  report: ImportReport,
  json: boolean,
  /** The chats it went into, in words. */
  places: readonly string[] = [],
): void {
  const { added, chats, duplicates, faulty, faultyLines, read } = report;
  if (json) {
    const line = { file, format, chats, read, new: added, duplicates, faulty, faultyLines };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  const lines = [`${toTerminalLine(file)} (${format}): ${describe(report)}`];
  for (const place of places.slice(0, maxPlaces)) lines.push(`  ${toTerminalLine(place)}`);
  if (places.length > maxPlaces) lines.push(`  and into ${places.length - maxPlaces} more chats`);
  for (const { line, reason } of faultyLines) lines.push(line === 0 ? `  ${reason}` : `  line ${line}: ${reason}`);
  if (faulty > faultyLines.length) lines.push(`  and ${faulty - faultyLines.length} more`);
  process.stdout.write(`${lines.join("\n")}\n`);
}

function describe({ added, duplicates, faulty, read }: ImportReport): string {
  const numbers = new Intl.NumberFormat("en");
  const parts = [`${numbers.format(read)} read`, `${numbers.format(added)} new`];
  if (duplicates > 0) parts.push(`${numbers.format(duplicates)} duplicates`);
  if (faulty > 0) parts.push(`${numbers.format(faulty)} faulty`);
  return parts.join(", ");
}
