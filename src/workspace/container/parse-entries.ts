import type { Listing } from "../file-actions.ts";
import type { WorkspacePath } from "../parse-workspace-path.ts";
import type { FileEntry } from "../types.ts";

const kindsByLetter: Readonly<Record<string, FileEntry["kind"]>> = { f: "file", d: "folder", l: "link" };
const kindsByMode: Readonly<Record<number, FileEntry["kind"]>> = { 0o10: "file", 0o04: "folder", 0o12: "link" };

/** The output of stat: mode in hexadecimal, size, seconds since 1970. */
export function parseEntry(path: string, text: string): FileEntry {
  const [mode = "", size = "", seconds = ""] = text.split(" ");
  return createEntry(path, kindsByMode[Number.parseInt(mode, 16) >> 12], size, seconds);
}

/** The output of find for each entry, ended by NUL: letter of its kind, size, seconds since 1970, path. */
export function parseListing(
  folder: WorkspacePath,
  output: Buffer,
  { depth, most }: { readonly depth: number; readonly most: number },
): Listing {
  const prefix = folder.parts.length === 0 ? "" : `${folder.relative}/`;
  const entries: FileEntry[] = [];
  let [complete, begin, records] = [true, 0, 0];
  for (let end = output.indexOf(0); end >= 0; end = output.indexOf(0, begin)) {
    const record = output.subarray(begin, end);
    begin = end + 1;
    records += 1;
    const text = record.toString("utf8");
    // A name that is no text cannot be named in a call.
    if (!Buffer.from(text, "utf8").equals(record)) continue;
    const [, letter = "", size = "", seconds = "", path = ""] = /^(\S) (\S+) (\S+) ([\s\S]*)$/.exec(text) ?? [];
    const entry = createEntry(`${prefix}${path}`, kindsByLetter[letter], size, seconds);
    if (entry.kind === "folder" && path.split("/").length >= depth) complete = false;
    entries.push(entry);
  }
  // A record more than was asked for is read, whether it can be named or not.
  return records > most ? { entries: entries.slice(0, most), complete: false } : { entries, complete };
}

function createEntry(path: string, kind: FileEntry["kind"] = "other", size: string, seconds: string): FileEntry {
  return { path, kind, size: kind === "file" ? Number(size) : 0, modified: Math.floor(Number(seconds) * 1000) };
}
