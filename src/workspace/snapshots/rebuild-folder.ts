import { randomUUID } from "node:crypto";
import { chmod, chown, lchown, mkdir, readdir, rename, rmdir, stat, symlink, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { AppError } from "../../core/errors.ts";
import type { ContainerIdentity } from "../../sandbox/container-identity.ts";
import type { SavedFile } from "../../store/queries/session-files.ts";
import { hashContent } from "../hash-content.ts";
import { chooseAnchoring } from "../open-folder.ts";
import { emptyTree, removeTree } from "../trees/remove-tree.ts";
import { isLinkInside, isPathInside } from "./is-inside.ts";

interface Rebuilding {
  /** Ids of the owner of new files; absent means the user of this process. */
  readonly owner: ContainerIdentity | undefined;
  readonly readContent: (sha256: string) => Promise<Buffer | undefined>;
}

const prefix = ".restore-";
/** A folder that is being filled is younger. */
const leftoverMs = 3_600_000;

/**
 * Makes a folder hold exactly these files. They are laid out in a folder beside it first: unless all of them can be, what is
 * there stays. The folder itself stays, too, for a container may have it as its own.
 */
export async function rebuildFolder(folder: string, files: readonly SavedFile[], parts: Rebuilding): Promise<void> {
  for (const file of files)
    if (!isPathInside(file.path) || (file.target !== null && !isLinkInside(file.path, file.target)))
      throw refuse(`the path ${JSON.stringify(file.path)} leads out of the workspace`);
  const aside = join(folder, "..", `${prefix}${randomUUID()}`);
  await mkdir(aside, { mode: 0o700 });
  try {
    await layOut(aside, files, parts);
    await emptyTree(folder, chooseAnchoring());
    for (const name of await readdir(aside)) await rename(join(aside, name), join(folder, name));
    await rmdir(aside);
  } catch (error) {
    await removeTree(aside, chooseAnchoring());
    throw error;
  }
}

/** Links come last, when all folders are there: nothing is ever written through one. */
async function layOut(aside: string, files: readonly SavedFile[], { owner, readContent }: Rebuilding): Promise<void> {
  for (const folder of listFolders(files)) {
    await mkdir(join(aside, folder), { recursive: true, mode: 0o755 });
    if (owner) await chown(join(aside, folder), owner.uid, owner.gid);
  }
  for (const { mode, path, sha256, target } of files) {
    if (target !== null) continue;
    const content = sha256 === null ? undefined : await readContent(sha256);
    if (content === undefined || hashContent(content) !== sha256)
      throw refuse(`the content of ${JSON.stringify(path)} is not in the database`);
    await put(path, async (place) => {
      await writeFile(place, content, { flag: "wx", mode: 0o600 });
      if (owner) await chown(place, owner.uid, owner.gid);
      await chmod(place, mode & 0o777);
    });
  }
  for (const { path, target } of files) {
    if (target === null) continue;
    await put(path, async (place) => {
      await symlink(target, place);
      if (owner) await lchown(place, owner.uid, owner.gid);
    });
  }

  async function put(path: string, write: (place: string) => Promise<void>): Promise<void> {
    try {
      await write(join(aside, path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw refuse(`the path ${JSON.stringify(path)} is a file and a folder`);
    }
  }
}

/** The folders of all files, outer ones first. */
function listFolders(files: readonly SavedFile[]): readonly string[] {
  const folders = new Set<string>();
  for (const { path } of files)
    for (let folder = posix.dirname(path); folder !== "." && !folders.has(folder); folder = posix.dirname(folder))
      folders.add(folder);
  return [...folders].toSorted((left, right) => left.length - right.length);
}

/** Removes what a process left beside the workspaces when it died. */
export async function sweepRebuilt(root: string, now: number): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const name of await readdir(root)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(root, name);
    if (now - (await stat(path)).mtimeMs > leftoverMs) await removeTree(path, chooseAnchoring());
  }
}

function refuse(reason: string): AppError {
  return new AppError("FILES_NOT_RESTORED", `The files of the conversation were not restored: ${reason}.`);
}
