import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { measureWorkspace } from "../../sandbox/measure-workspace.ts";
import type { WorkspaceLimits } from "../../sandbox/types.ts";
import type { SavedFile } from "../../store/queries/session-files.ts";
import { hashContent } from "../hash-content.ts";
import { chooseAnchoring } from "../open-folder.ts";
import { TreeTooLarge } from "../trees/tree-limits.ts";
import { walkTree } from "../trees/walk-tree.ts";
import { isLinkInside, isPathInside } from "./is-inside.ts";

/** A file as it was found. `look` = what stays the same while no program writes; absent when a write may have hidden in it. */
export interface ScannedFile extends SavedFile {
  readonly look?: string;
}

export type Scan =
  | {
      readonly kind: "scanned";
      readonly files: ReadonlyMap<string, ScannedFile>;
      /** The contents that `before` does not have, by their digest. */
      readonly contents: ReadonlyMap<string, Buffer>;
    }
  | { readonly kind: "too-large" };

const maxDepth = 64;
/** A second write within one tick of the file system's clock leaves size and times as they were. */
const tickMs = 100;

/** Reads what is in a folder now. A file that looks as it did in `before` is not read again. */
export async function scanWorkspace(
  folder: string,
  before: ReadonlyMap<string, ScannedFile>,
  limits: WorkspaceLimits,
): Promise<Scan> {
  // Before anything is read: what is too large would be read at every call.
  if ((await measureWorkspace(folder, limits)).kind === "over") return { kind: "too-large" };
  const began = Date.now();
  const stored = new Set([...before.values()].map(({ sha256 }) => sha256));
  const files = new Map<string, ScannedFile>();
  const contents = new Map<string, Buffer>();
  const options = {
    anchoring: chooseAnchoring(),
    limits: { entries: limits.files, bytes: limits.bytes, depth: maxDepth },
    signal: new AbortController().signal,
  };
  try {
    await walkTree(folder, undefined, options, {
      folder: (_, __, inside) => inside(undefined),
      async file({ path, stats }, _, handle) {
        if (!isPathInside(path)) return;
        const look = describeLook(stats);
        const known = before.get(path);
        const mode = stats.mode & 0o777;
        if (known?.look === look) {
          files.set(path, { ...known, mode });
          return;
        }
        const bytes = await readAtMost(handle, stats.size);
        const sha256 = hashContent(bytes);
        if (!stored.has(sha256)) contents.set(sha256, bytes);
        const isSettled = stats.ctimeMs < began - tickMs;
        files.set(path, { path, sha256, target: null, size: bytes.length, mode, ...(isSettled && { look }) });
      },
      async link({ path }, _, target) {
        if (isPathInside(path) && isLinkInside(path, target))
          files.set(path, { path, sha256: null, target, size: 0, mode: 0o777 });
      },
    });
  } catch (error) {
    if (error instanceof TreeTooLarge) return { kind: "too-large" };
    throw error;
  }
  return { kind: "scanned", files, contents };
}

const describeLook = ({ ctimeMs, ino, mtimeMs, size }: Stats): string => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;

/** A file may grow as fast as it is read. */
async function readAtMost(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let total = 0;
  while (total < size) {
    const { bytesRead } = await handle.read(bytes, total, size - total, total);
    if (bytesRead === 0) break;
    total += bytesRead;
  }
  return bytes.subarray(0, total);
}

/** Lists what has to be written so that `before` becomes `after`. */
export function compareFiles(
  before: ReadonlyMap<string, SavedFile>,
  after: ReadonlyMap<string, SavedFile>,
): { readonly changed: readonly SavedFile[]; readonly gone: readonly string[] } {
  const isSame = (file: SavedFile, known: SavedFile | undefined): boolean =>
    known !== undefined && file.sha256 === known.sha256 && file.target === known.target && file.mode === known.mode;
  return {
    changed: [...after.values()].filter((file) => !isSame(file, before.get(file.path))),
    gone: [...before.keys()].filter((path) => !after.has(path)),
  };
}
