import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import type { Stats } from "node:fs";
import { lstat, open, rename, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { ContainerIdentity } from "../sandbox/container-identity.ts";
import { FileRefused } from "./file-faults.ts";
import type { OpenFolder } from "./open-folder.ts";
import { largestFile, openRegularFile } from "./read-workspace-file.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW } = constants;

/** Replaces (or makes) a child as a whole: readers see the old file or the new one, never half of it. Answers whether it existed. */
export async function replaceFile(
  folder: OpenFolder,
  name: string,
  content: Uint8Array,
  owner: ContainerIdentity | undefined,
  shown: string,
  expected?: "absent",
): Promise<boolean> {
  const before = await findChild(folder, name);
  if (before?.isSymbolicLink())
    throw new FileRefused(`"${shown}" is a link, and links are not followed. Use the path of the file itself.`);
  if (before?.isDirectory()) throw new FileRefused(`"${shown}" is a folder; name a file in it.`);
  if (before !== undefined && !before.isFile()) {
    throw new FileRefused(`"${shown}" is not a regular file; only regular files can be used.`);
  }
  if (expected === "absent" && before !== undefined) throw new FileRefused(`"${shown}" is there already.`);
  const temporary = `.kurisu-${randomBytes(8).toString("hex")}.tmp`;
  const mode = before === undefined ? 0o644 : before.mode & 0o777;
  const handle = await open(folder.child(temporary), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    try {
      await folder.verify();
      await handle.writeFile(content);
      await handle.chmod(mode);
      if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(folder.child(temporary), folder.child(name));
  } catch (error) {
    await forget(folder.child(temporary));
    throw error;
  }
  return before !== undefined;
}

/** Adds to a child, or makes it. Answers whether it existed. */
export async function appendFile(
  folder: OpenFolder,
  name: string,
  content: Buffer,
  owner: ContainerIdentity | undefined,
  shown: string,
): Promise<boolean> {
  const { handle, existed } = await openForAppending(folder, name, shown);
  try {
    const { size } = await handle.stat();
    if (size + content.length > largestFile) {
      throw new FileRefused(`"${shown}" would grow beyond ${largestFile / 1024 / 1024} MiB; start another file.`);
    }
    if (!existed && owner !== undefined) await handle.chown(owner.uid, owner.gid);
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
  return existed;
}

async function openForAppending(
  folder: OpenFolder,
  name: string,
  shown: string,
): Promise<{ handle: FileHandle; existed: boolean }> {
  try {
    return { handle: await openRegularFile(folder, name, O_WRONLY | O_APPEND, shown), existed: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return {
      handle: await openRegularFile(folder, name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL, shown),
      existed: false,
    };
  }
}

async function findChild(folder: OpenFolder, name: string): Promise<Stats | undefined> {
  try {
    return await lstat(folder.child(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A command in the container may have been faster; then there is nothing left to delete. */
async function forget(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
