import { dirname } from "node:path/posix";
import type { TreeDescription, TreeEntry } from "../../../workspace/trees/describe-tree.ts";
import { diffTexts, type TextDiff } from "../../../workspace/unified-diff.ts";

/** The change of one path. Without `before` it is new, without `after` it is gone; renames are both. */
export interface TreeChange {
  readonly path: string;
  readonly before?: TreeEntry;
  readonly after?: TreeEntry;
  /** How a file's content changed, if it was changed, added or removed. */
  readonly content?: ContentChange;
}

/**
 * uncounted = too large or too much of it; lost = the old content is gone, because the workspace was changed in the
 * meantime.
 */
type ContentChange =
  | ({ readonly kind: "text" } & TextDiff)
  | { readonly kind: "binary" }
  | { readonly kind: "uncounted" }
  | { readonly kind: "lost" };

export interface TreeReaders {
  /** The content of that digest, or undefined when the file holds another one by now. */
  readonly before: ReadFile;
  readonly after: ReadFile;
}

type ReadFile = (path: string, file: Extract<TreeEntry, { kind: "file" }>) => Promise<Buffer | undefined>;

/** Bytes of one file, and of all of them, whose lines are compared. */
const limits = { file: 512 * 1024, all: 4 * 1024 * 1024 };

/** All changes from one description to another, by path, but for what the later one could not see. */
export async function compareTrees(
  before: TreeDescription,
  after: TreeDescription,
  readers: TreeReaders,
): Promise<TreeChange[]> {
  const paths = [...new Set([...before.entries.keys(), ...after.entries.keys()])].toSorted();
  const changes: TreeChange[] = [];
  let left = limits.all;
  const skipped = new Set(after.skipped.map(({ path }) => path));
  for (const path of paths) {
    // A file that cannot be read by now is not gone.
    if (isUnseen(path, skipped)) continue;
    const [old, now] = [before.entries.get(path), after.entries.get(path)];
    if (isSameEntry(old, now)) continue;
    const size = sizeOf(old) + sizeOf(now);
    const content = await compareContent(path, old, now, readers, size <= Math.min(left, limits.file));
    if (content?.kind === "text") left -= size;
    changes.push({
      path,
      ...(old && { before: old }),
      ...(now && { after: now }),
      ...(content && { content }),
    });
  }
  return changes;
}

/** Whether the entry was skipped, or is in a folder that was. */
function isUnseen(path: string, skipped: ReadonlySet<string>): boolean {
  return skipped.has(path) || (path.includes("/") && isUnseen(dirname(path), skipped));
}

/** Whether the entry itself is unchanged. */
function isSameEntry(left: TreeEntry | undefined, right: TreeEntry | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

async function compareContent(
  path: string,
  old: TreeEntry | undefined,
  now: TreeEntry | undefined,
  readers: TreeReaders,
  counted: boolean,
): Promise<ContentChange | undefined> {
  if (old?.kind !== "file" && now?.kind !== "file") return undefined;
  if (old?.kind === "file" && now?.kind === "file" && old.digest === now.digest) return undefined;
  if (!counted) return { kind: "uncounted" };
  const was = old?.kind === "file" ? await readers.before(path, old) : Buffer.alloc(0);
  const is = now?.kind === "file" ? await readers.after(path, now) : Buffer.alloc(0);
  if (was === undefined || is === undefined) return { kind: "lost" };
  const [oldText, newText] = [readText(was), readText(is)];
  if (oldText === undefined || newText === undefined) return { kind: "binary" };
  return { kind: "text", ...diffTexts(oldText, newText) };
}

function sizeOf(entry: TreeEntry | undefined): number {
  return entry?.kind === "file" ? entry.size : 0;
}

/** UTF-8 without NUL, every byte kept, a byte order mark too. */
function readText(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}
