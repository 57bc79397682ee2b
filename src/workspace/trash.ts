import { link, lstat, mkdir, readdir, readFile, realpath, rename, unlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { createReadableCode } from "../core/ids.ts";
import type { ContainerIdentity } from "../sandbox/container-identity.ts";
import { measureWorkspace } from "../sandbox/measure-workspace.ts";
import { createFileFault, describeSize, FileRefused } from "./file-faults.ts";
import type { FilePlace } from "./file-actions.ts";
import { withFolder, type Anchoring } from "./open-folder.ts";
import { parseWorkspacePath, type WorkspacePath } from "./parse-workspace-path.ts";
import { removeTree } from "./trees/remove-tree.ts";
import type { Removed, Restoration } from "./types.ts";
import { isThere } from "./is-there.ts";

interface TrashLimits {
  /** Bytes that one session's trash keeps, and the largest thing that goes in. */
  readonly bytes: number;
  readonly items: number;
  readonly ageMs: number;
}

const defaultLimits: TrashLimits = { bytes: 256 * 1024 * 1024, items: 200, ageMs: 7 * 24 * 3_600_000 };

/** Files in one item; a larger deletion is not worth undoing. */
const maxFiles = 20_000;

const aboutShape = z.object({ path: z.string(), removed: z.number(), bytes: z.number() });

interface TrashItem extends Removed {
  readonly removed: number;
  readonly bytes: number;
}

/**
 * Removed files, outside of the workspaces: no command can reach it, and it does not count as their size. Things are
 * moved by name through open folders, so nothing is read and no link is followed. Failures are thrown as in FileActions.
 */
export interface Trash {
  put(place: FilePlace, path: WorkspacePath): Promise<Removed>;
  /** The last one, or the one with this id; never over something that is there. */
  restore(place: FilePlace, id: string | undefined): Promise<Restoration>;
  /** Deletes all that is there of a session, for good. */
  erase(place: FilePlace): Promise<void>;
  /** Removes items that are too old, in all sessions. */
  sweep(): Promise<void>;
}

export function createTrash(options: {
  /** Folder that holds one folder a session; made when it is needed. */
  readonly root: string;
  readonly anchoring: Anchoring;
  readonly owner: ContainerIdentity | undefined;
  readonly clock: Clock;
  readonly limits?: Partial<TrashLimits>;
}): Trash {
  const { anchoring, owner, clock } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const folderOf = (place: FilePlace): string => join(options.root, basename(place.folder));

  async function listItems(folder: string): Promise<TrashItem[]> {
    const items: TrashItem[] = [];
    for (const id of await listFolders(folder)) {
      const item = await readItem(folder, id);
      if (item !== undefined) items.push(item);
      // Its move did not happen, or was undone.
      else await removeTree(join(folder, id), anchoring);
    }
    return items.toSorted((left, right) => right.removed - left.removed || (left.id < right.id ? 1 : -1));
  }

  /** The newest stay. */
  async function prune(folder: string): Promise<void> {
    let bytes = 0;
    for (const [index, item] of (await listItems(folder)).entries()) {
      bytes += item.bytes;
      const isOld = clock.now() - item.removed > limits.ageMs;
      if (isOld || bytes > limits.bytes || index >= limits.items) await removeTree(join(folder, item.id), anchoring);
    }
  }

  async function put(place: FilePlace, path: WorkspacePath): Promise<Removed> {
    const name = path.parts.at(-1) ?? "";
    const folder = folderOf(place);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Later than everything that is there, also within one millisecond: the last one is what people want back.
    const newest = (await listItems(folder))[0]?.removed ?? 0;
    const item = { path: path.relative, removed: Math.max(clock.now(), newest + 1), bytes: 0 };
    const id = createReadableCode(6);
    const into = join(await realpath(folder), id);
    await mkdir(into, { mode: 0o700 });
    // Before the move: what is in the trash without it could never be put back.
    await writeAbout(into, item);
    try {
      await withFolder(place.folder, path.parts.slice(0, -1), { anchoring, create: false, owner }, async (parent) => {
        await lstat(parent.child(name));
        await parent.verify();
        await rename(parent.child(name), join(into, "item"));
      });
    } catch (error) {
      await removeTree(into, anchoring);
      throw isOtherDisk(error) ? describeOtherDisk() : error;
    }
    const size = await measureItem(into);
    if (size === undefined) {
      await putBack(place, into, path);
      const rest = "; remove it in the shell (rm -r), which cannot be undone.";
      throw new FileRefused(`"${path.relative}" is larger than the trash keeps (${describeSize(limits.bytes)})${rest}`);
    }
    await writeAbout(into, { ...item, bytes: size });
    await prune(folder);
    return { id, path: path.relative };
  }

  /** Undefined when it is too large. */
  async function measureItem(into: string): Promise<number | undefined> {
    const { blocks } = await lstat(join(into, "item"));
    const size = await measureWorkspace(into, { bytes: limits.bytes, files: maxFiles });
    return size.kind === "fine" ? Math.max(size.bytes, blocks * 512) : undefined;
  }

  async function putBack(place: FilePlace, from: string, path: WorkspacePath): Promise<void> {
    const name = path.parts.at(-1) ?? "";
    const item = join(from, "item");
    const isFile = (await lstat(item)).isFile();
    await withFolder(place.folder, path.parts.slice(0, -1), { anchoring, create: true, owner }, async (parent) => {
      await parent.verify();
      // A second name cannot be made where something is; a rename has to look first.
      if (isFile) {
        await link(item, parent.child(name));
        await unlink(item);
      } else {
        if (await isThere(parent.child(name))) throw createFileFault("EEXIST");
        await rename(item, parent.child(name));
      }
    });
    await removeTree(from, anchoring);
  }

  return {
    put,
    async restore(place, id) {
      const folder = folderOf(place);
      const items = await listItems(folder);
      const found = id === undefined ? items[0] : items.find((item) => item.id === id.toUpperCase());
      if (found === undefined) {
        const known = items.map((item) => ({ id: item.id, path: item.path }));
        return items.length === 0 ? { kind: "empty" } : { kind: "unknown", known };
      }
      const path = parseWorkspacePath(found.path);
      if (!path.ok) throw new FileRefused(path.error);
      const named = { id: found.id, path: found.path };
      try {
        await putBack(place, join(folder, found.id), path);
        return { kind: "restored", ...named };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== "EEXIST" && code !== "ENOTEMPTY") throw error;
        return { kind: "occupied", ...named };
      }
    },
    erase: (place) => removeTree(folderOf(place), anchoring),
    async sweep() {
      for (const name of await listFolders(options.root)) await prune(join(options.root, name));
    },
  };
}

async function writeAbout(into: string, item: Omit<TrashItem, "id">): Promise<void> {
  await writeFile(join(into, "about.new"), JSON.stringify(item), { mode: 0o600, flush: true });
  await rename(join(into, "about.new"), join(into, "about.json"));
}

/** Undefined when it holds nothing. */
async function readItem(folder: string, id: string): Promise<TrashItem | undefined> {
  try {
    const { ctimeMs, blocks } = await lstat(join(folder, id, "item"));
    const about = readAbout(await readFile(join(folder, id, "about.json"), "utf8"));
    return { id, ...(about ?? { path: id, removed: Math.floor(ctimeMs), bytes: blocks * 512 }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Undefined when a disk has lost it; the item itself can still be put back under its id. */
function readAbout(text: string): Omit<TrashItem, "id"> | undefined {
  try {
    return aboutShape.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Only the folders in it: other programs leave files about, such as .DS_Store. */
async function listFolders(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

const isOtherDisk = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "EXDEV";

function describeOtherDisk(): FileRefused {
  return new FileRefused(
    "The trash is on another disk than the workspace; remove it in the shell, which cannot be undone.",
  );
}
