import { constants, type Stats } from "node:fs";
import { lstat, open, readdir, realpath, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { chooseAnchoring } from "../../workspace/open-folder.ts";
import { walkTree } from "../../workspace/trees/walk-tree.ts";
import { isLeftOut } from "./left-out.ts";

type VisitFile = (path: string, handle: FileHandle, stats: Stats) => Promise<void>;

const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const limits = { entries: Infinity, bytes: Infinity, depth: 200 };

/** The folder of the files of chats, in the data folder. */
export const chatsFolder = "workspaces";

/**
 * Visits the files of the data folder that belong into a backup. Commands may change the folders of chats meanwhile; no
 * link is followed there. Answers how many entries were left out: links, pipes, sockets, and what cannot be read.
 */
export async function walkHome(
  home: string,
  visit: VisitFile,
  options: { readonly withoutChats: boolean; readonly signal?: AbortSignal | undefined },
): Promise<number> {
  const signal = options.signal ?? new AbortController().signal;
  let left = 0;
  for (const name of (await readdir(home)).toSorted()) {
    // Before anything is opened: to close a descriptor of a database would release this process's locks on it.
    if (isLeftOut(name) || (options.withoutChats && name === chatsFolder)) continue;
    signal.throwIfAborted();
    // An operator may have put a folder on another disk.
    const path = (await lstat(join(home, name))).isSymbolicLink()
      ? await findTarget(join(home, name))
      : join(home, name);
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
    if (path === undefined || found === undefined) left += 1;
    else if (found.isFile()) left += await visitOne(path, name, visit);
    else if (found.isDirectory()) left += await walkBelow(path, name, visit, signal);
    else left += 1;
  }
  return left;
}

async function walkBelow(root: string, name: string, visit: VisitFile, signal: AbortSignal): Promise<number> {
  let links = 0;
  const skipped = await walkTree<undefined>(
    root,
    undefined,
    { anchoring: chooseAnchoring(), limits, signal },
    {
      folder: (_found, place, inside) => inside(place),
      file: ({ path, stats }, _place, handle) => visit(`${name}/${path}`, handle, stats),
      link: async () => void (links += 1),
    },
  );
  return links + skipped.length;
}

async function visitOne(path: string, name: string, visit: VisitFile): Promise<number> {
  let handle: FileHandle;
  try {
    handle = await open(path, fileFlags);
  } catch (error) {
    if (["EACCES", "EPERM", "ENOENT", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return 1;
    throw error;
  }
  try {
    await visit(name, handle, await handle.stat());
    return 0;
  } finally {
    await handle.close();
  }
}

async function findTarget(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    // It leads nowhere.
    return undefined;
  }
}
