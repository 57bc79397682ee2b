import { constants } from "node:fs";
import type { Stats } from "node:fs";
import { lstat, open, opendir, readlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { withFolder, type Anchoring, type OpenFolder } from "../open-folder.ts";
import { countTree, type TreeCount, type TreeLimits } from "./tree-limits.ts";

/** Entries that are neither file, folder nor link, or cannot be read. */
export interface SkippedEntry {
  readonly path: string;
  readonly why: "pipe" | "socket" | "device" | "unreadable" | "name";
}

/** An entry on the walk. `path` is relative to the root, parts joined by "/". */
interface FoundEntry {
  readonly path: string;
  readonly name: string;
  /** The entry itself, never what a link points at. */
  readonly stats: Stats;
}

/** `Place` is what a visitor knows of the folder it is in. */
export interface TreeVisitor<Place> {
  /** Calls `inside` once, with the place that the folder's own entries get. */
  folder(found: FoundEntry, place: Place, inside: (place: Place) => Promise<void>): Promise<void>;
  /** The handle is open for reading and closed afterwards. */
  file(found: FoundEntry, place: Place, handle: FileHandle): Promise<void>;
  link(found: FoundEntry, place: Place, target: string): Promise<void>;
}

export interface WalkOptions {
  readonly anchoring: Anchoring;
  readonly limits: TreeLimits;
  readonly signal: AbortSignal;
}

/** Files of one folder that are read at once. */
const atOnce = 8;
/** Between two looks an entry disappeared, or changed its kind. */
const exchanged = new Set(["ENOENT", "ELOOP", "ENOTDIR", "ENXIO", "EINVAL"]);
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Visits everything below `root` through open folders, without following a link: commands may change the tree in the
 * meantime, and what disappears on the way was not there. Answers what was left out; throws TreeTooLarge.
 */
export async function walkTree<Place>(
  root: string,
  place: Place,
  options: WalkOptions,
  visitor: TreeVisitor<Place>,
): Promise<readonly SkippedEntry[]> {
  const walk: Walk<Place> = { options, visitor, count: countTree(options.limits), skipped: [] };
  await withFolder(root, [], folderOptions(options), (folder) => walkFolder(walk, folder, "", place, 0));
  return walk.skipped.toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

interface Walk<Place> {
  readonly options: WalkOptions;
  readonly visitor: TreeVisitor<Place>;
  readonly count: TreeCount;
  readonly skipped: SkippedEntry[];
}

const folderOptions = ({ anchoring }: WalkOptions) => ({ anchoring, create: false, owner: undefined });

async function walkFolder<Place>(
  walk: Walk<Place>,
  folder: OpenFolder,
  path: string,
  place: Place,
  depth: number,
): Promise<void> {
  walk.count.checkDepth(depth);
  const children = await listChildren(walk, folder, path);
  for (let first = 0; first < children.length; first += atOnce) {
    walk.options.signal.throwIfAborted();
    // A single folder at a time: each holds a descriptor open for as long as it is walked.
    const folders: FoundEntry[] = [];
    const visits = children.slice(first, first + atOnce).map(async (child) => {
      const childPath = `${path}${child.name}`;
      await unlessGone(walk, childPath, async () => {
        const found = await visitEntry(walk, folder, childPath, child, place);
        if (found) folders.push(found);
      });
    });
    // All of them, before anything is thrown: what still ran would use the number of a folder that is closed by then.
    const failed = (await Promise.allSettled(visits)).find((visit) => visit.status === "rejected");
    if (failed) throw failed.reason;
    for (const found of folders) await visitFolder(walk, folder, found, place, depth);
  }
}

/** Answers a folder, which is visited when nothing else is under way. */
async function visitEntry<Place>(
  walk: Walk<Place>,
  folder: OpenFolder,
  path: string,
  { name, isFile }: Child,
  place: Place,
): Promise<FoundEntry | undefined> {
  if (isFile) {
    await visitFile(walk, folder, path, name, place);
    return undefined;
  }
  const stats = await lstat(folder.child(name));
  const found = { path, name, stats };
  if (stats.isDirectory()) return found;
  if (stats.isSymbolicLink()) await walk.visitor.link(found, place, await readlink(folder.child(name)));
  else if (stats.isFile()) await visitFile(walk, folder, path, name, place);
  else walk.skipped.push({ path, why: nameKind(stats) });
  return undefined;
}

async function visitFile<Place>(
  walk: Walk<Place>,
  folder: OpenFolder,
  path: string,
  name: string,
  place: Place,
): Promise<void> {
  const handle = await open(folder.child(name), fileFlags);
  try {
    await folder.verify();
    const stats = await handle.stat();
    if (stats.isFile()) {
      walk.count.add("bytes", stats.size);
      await walk.visitor.file({ path, name, stats }, place, handle);
    } else if (!stats.isDirectory()) {
      walk.skipped.push({ path, why: nameKind(stats) });
    }
  } finally {
    await handle.close();
  }
}

async function visitFolder<Place>(
  walk: Walk<Place>,
  parent: OpenFolder,
  found: FoundEntry,
  place: Place,
  depth: number,
): Promise<void> {
  await unlessGone(walk, found.path, () =>
    withFolder(parent.child(found.name), [], folderOptions(walk.options), (folder) =>
      walk.visitor.folder(found, place, (inner) => walkFolder(walk, folder, `${found.path}/`, inner, depth + 1)),
    ),
  );
}

/** `isFile` comes from the folder; opening looks again. */
interface Child {
  readonly name: string;
  readonly isFile: boolean;
}

/** Read one by one, so that a folder of millions is refused before its names fill the memory. */
async function listChildren<Place>(walk: Walk<Place>, folder: OpenFolder, path: string): Promise<Child[]> {
  const children: Child[] = [];
  // The type of `encoding` leaves "buffer" out, which opendir takes all the same (it is what readdir is built on).
  const entries = await opendir(folder.child("."), { encoding: "buffer" as BufferEncoding });
  for await (const entry of entries) {
    walk.count.add("entries", 1);
    const bytes = entry.name as unknown as Buffer;
    const name = bytes.toString("utf8");
    if (Buffer.from(name, "utf8").equals(bytes)) children.push({ name, isFile: entry.isFile() });
    else walk.skipped.push({ path: `${path}${name}`, why: "name" });
  }
  return children;
}

async function unlessGone<Place>(walk: Walk<Place>, path: string, visit: () => Promise<void>): Promise<void> {
  try {
    await visit();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM") walk.skipped.push({ path, why: "unreadable" });
    else if (code === undefined || !exchanged.has(code)) throw error;
  }
}

function nameKind(stats: Stats): "pipe" | "socket" | "device" {
  if (stats.isFIFO()) return "pipe";
  return stats.isSocket() ? "socket" : "device";
}
