import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Lines of one thing that a terminal shows before the rest is folded away. */
export const maxLines = 120;
const keptMs = 7 * 24 * 3_600_000;

/** Folds what is long: its beginning is shown, the whole lies in a file. */
export interface LineFold {
  /** Counts on; the part of a piece that still fits. */
  push(piece: string): string;
  /** Of something that is over: how many lines were left out, and the file with all of it; undefined = none were. */
  end(whole: string): { readonly left: number; readonly path: string } | undefined;
}

export function createLineFold(folder: string): LineFold {
  let lines = 0;
  /** Lines that went by, shown or not; what renders a fence away is none. */
  let ends = 0;
  let open = false;
  return {
    push(piece) {
      ends += piece.split("\n").length - 1;
      if (piece !== "") open = !piece.endsWith("\n");
      if (lines >= maxLines) return "";
      const parts = piece.split("\n");
      const fitting = parts.slice(0, maxLines - lines + 1);
      lines += fitting.length - 1;
      return lines >= maxLines ? `${fitting.slice(0, -1).join("\n")}\n` : piece;
    },
    end(whole) {
      const left = lines < maxLines ? 0 : ends + (open ? 1 : 0) - lines;
      lines = 0;
      ends = 0;
      open = false;
      return left <= 0 ? undefined : { left, path: keepFolded(folder, whole) };
    },
  };
}

function keepFolded(folder: string, text: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { force: true });
  }
  const path = join(folder, `${randomUUID().slice(0, 8)}.txt`);
  writeFileSync(path, `${text.trimEnd()}\n`, { mode: 0o600, flag: "wx" });
  return path;
}
