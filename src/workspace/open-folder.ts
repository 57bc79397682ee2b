import { constants, existsSync } from "node:fs";
import { mkdir, open, realpath, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { ContainerIdentity } from "../sandbox/container-identity.ts";

/**
 * How children of an open folder are named. `descriptor`: through /proc/self/fd, which is openat() for Node and cannot be
 * raced. `realpath`: by path, compared before and after; for systems without /proc (macOS), where a swap in between can
 * make an operation fail, and in theory hit a file that the swap points at.
 */
export type Anchoring = "descriptor" | "realpath";

/** An open folder that stays the same folder even if it is renamed or replaced. */
export interface OpenFolder {
  /** A host path of a child, for calls that do not follow links. */
  child(name: string): string;
  readonly handle: FileHandle;
  /** Throws when the folder's name leads elsewhere by now (`realpath` only). */
  verify(): Promise<void>;
}

export interface FolderOptions {
  readonly anchoring: Anchoring;
  /** Makes what is missing. */
  readonly create: boolean;
  /** The owner of new files; absent means the user of this process. */
  readonly owner: ContainerIdentity | undefined;
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export function chooseAnchoring(): Anchoring {
  return process.platform === "linux" && existsSync("/proc/self/fd") ? "descriptor" : "realpath";
}

/** Opens root/parts… one by one without following a link and hands the last one to `use`; closes everything afterwards. */
export async function withFolder<Result>(
  root: string,
  parts: readonly string[],
  options: FolderOptions,
  use: (folder: OpenFolder) => Promise<Result>,
): Promise<Result> {
  let folder = await openFolder(root, root, options.anchoring);
  try {
    for (const part of parts) {
      const made = options.create && (await makeFolder(folder.child(part)));
      const next = await openFolder(folder.child(part), join(folder.path, part), options.anchoring);
      await folder.handle.close();
      folder = next;
      if (made && options.owner !== undefined) await folder.handle.chown(options.owner.uid, options.owner.gid);
    }
    return await use(folder);
  } finally {
    await folder.handle.close();
  }
}

async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, 0o755);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function openFolder(
  openPath: string,
  path: string,
  anchoring: Anchoring,
): Promise<OpenFolder & { readonly path: string }> {
  const handle = await open(openPath, folderFlags);
  const verify = async (): Promise<void> => {
    if (anchoring === "descriptor") return;
    const [opened, named] = [await handle.stat(), await stat(path)];
    if ((await realpath(path)) === path && opened.dev === named.dev && opened.ino === named.ino) return;
    throw Object.assign(new Error("the folder was replaced while it was used"), { code: "ELOOP" });
  };
  const base = anchoring === "descriptor" ? `/proc/self/fd/${handle.fd}` : path;
  const folder = { path, handle, verify, child: (name: string) => join(base, name) };
  try {
    await verify();
  } catch (error) {
    await handle.close();
    throw error;
  }
  return folder;
}
