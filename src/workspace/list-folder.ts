import type { Stats } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import type { Listing } from "./file-actions.ts";
import { unlessKnownFault } from "./file-faults.ts";
import { withFolder, type Anchoring, type OpenFolder } from "./open-folder.ts";
import { isLeftAlone } from "./parse-workspace-path.ts";
import type { FileEntry } from "./types.ts";

interface Walk {
  readonly anchoring: Anchoring;
  readonly depth: number;
  readonly most: number;
  readonly entries: FileEntry[];
  complete: boolean;
}

/**
 * Everything below an open folder, through open folders: a folder swapped for a link in the meantime is not entered.
 */
export async function listFolder(
  folder: OpenFolder,
  prefix: string,
  bounds: Pick<Walk, "anchoring" | "depth" | "most">,
): Promise<Listing> {
  const walk: Walk = { ...bounds, entries: [], complete: true };
  await listInto(walk, folder, prefix, 1);
  return { entries: walk.entries, complete: walk.complete };
}

async function listInto(walk: Walk, folder: OpenFolder, prefix: string, depth: number): Promise<void> {
  const folders: string[] = [];
  // The type of `encoding` leaves "buffer" out, which opendir accepts nevertheless (it is what readdir is built on).
  const children = await opendir(folder.child("."), { encoding: "buffer" as BufferEncoding });
  for await (const { name: found } of children) {
    const bytes = found as unknown as Buffer;
    const name = bytes.toString("utf8");
    if (isLeftAlone(name) || !Buffer.from(name, "utf8").equals(bytes)) continue;
    if (walk.entries.length >= walk.most) {
      walk.complete = false;
      return;
    }
    const entry = await unlessKnownFault(async () => toEntry(`${prefix}${name}`, await lstat(folder.child(name))));
    if (entry === undefined) continue;
    walk.entries.push(entry);
    if (entry.kind === "folder") folders.push(name);
  }
  if (folders.length > 0 && depth >= walk.depth) {
    walk.complete = false;
    return;
  }
  const options = { anchoring: walk.anchoring, create: false, owner: undefined };
  for (const name of folders) {
    if (!walk.complete && walk.entries.length >= walk.most) return;
    await unlessKnownFault(() =>
      withFolder(folder.child(name), [], options, (inner) => listInto(walk, inner, `${prefix}${name}/`, depth + 1)),
    );
  }
}

export function toEntry(path: string, stats: Stats): FileEntry {
  const kind = nameKind(stats);
  return { path, kind, size: kind === "file" ? stats.size : 0, modified: Math.floor(stats.mtimeMs) };
}

function nameKind(stats: Stats): FileEntry["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}
