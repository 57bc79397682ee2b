import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { walkTree, type SkippedEntry, type WalkOptions } from "./walk-tree.ts";

/** An entry as it was when it was looked at. `mode` = the nine permission bits. */
export type TreeEntry =
  | { readonly kind: "folder"; readonly mode: number }
  | { readonly kind: "link"; readonly target: string }
  | {
      readonly kind: "file";
      readonly mode: number;
      /** Bytes. */
      readonly size: number;
      /** SHA-256 of the content, in hexadecimal. */
      readonly digest: string;
    };

export interface TreeDescription {
  /** By path relative to the root. */
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly skipped: readonly SkippedEntry[];
  /** Equal exactly when all entries are; what was skipped, owners and times do not count. */
  readonly revision: string;
}

const pieceBytes = 128 * 1024;

/**
 * Describes all that is below `root`. Every file is read every time: size, times and number of a file can be the same
 * after a change (a program that has it mapped writes without a trace), and a revision that can be fooled binds nothing.
 * Throws TreeTooLarge.
 */
export async function describeTree(root: string, options: WalkOptions): Promise<TreeDescription> {
  const found = new Map<string, TreeEntry>();
  const skipped = await walkTree(root, undefined, options, {
    async folder({ path, stats }, _, inside) {
      found.set(path, { kind: "folder", mode: stats.mode & 0o777 });
      await inside(undefined);
    },
    async file({ path, stats }, _, handle) {
      found.set(path, { kind: "file", mode: stats.mode & 0o777, ...(await digestFile(handle, stats.size)) });
    },
    async link({ path }, _, target) {
      found.set(path, { kind: "link", target });
    },
  });
  const entries = new Map([...found].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  return { entries, skipped, revision: hashEntries(entries) };
}

/** At most `size` bytes: a file may grow as fast as it is read, and then it is another one already. */
async function digestFile(handle: FileHandle, size: number): Promise<{ size: number; digest: string }> {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, Math.max(1, size)));
  let total = 0;
  while (total < size) {
    const { bytesRead } = await handle.read(piece, 0, Math.min(piece.length, size - total), total);
    if (bytesRead === 0) break;
    hash.update(piece.subarray(0, bytesRead));
    total += bytesRead;
  }
  return { size: total, digest: hash.digest("hex") };
}

/** JSON separates paths and targets from their neighbours, whatever characters they hold. */
function hashEntries(entries: ReadonlyMap<string, TreeEntry>): string {
  const hash = createHash("sha256");
  for (const [path, entry] of entries) {
    const facts = entry.kind === "link" ? [entry.target] : entry.kind === "folder" ? [entry.mode] : fileFacts(entry);
    hash.update(`${JSON.stringify([path, entry.kind, ...facts])}\n`);
  }
  return hash.digest("hex");
}

const fileFacts = (entry: Extract<TreeEntry, { kind: "file" }>) => [entry.mode, entry.size, entry.digest];
