import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import type { Stats } from "node:fs";
import { lstat, open, rename, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { ContainerIdentity } from "../sandbox/container-identity.ts";
import { hashContent } from "./hash-content.ts";
import { createFileFault, maxFileBytes } from "./file-faults.ts";
import type { OpenFolder } from "./open-folder.ts";
import { openRegularFile, readBytes } from "./read-workspace-file.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW } = constants;

/** Replaces (or makes) a child as a whole: readers see the old file or the new one, never half of it. Answers whether it existed. */
export async function replaceFile(
  folder: OpenFolder,
  name: string,
  content: Uint8Array,
  options: { readonly owner: ContainerIdentity | undefined; readonly expected: string | undefined },
): Promise<boolean> {
  const { owner, expected } = options;
  const before = await findChild(folder, name);
  if (before?.isSymbolicLink()) throw createFileFault("ELOOP");
  if (before?.isDirectory()) throw createFileFault("EISDIR");
  if (before !== undefined && !before.isFile()) throw createFileFault("EIRREGULAR");
  if (expected !== undefined) await checkVersion(folder, name, before, expected);
  const temporary = nameTemporary();
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

export function nameTemporary(): string {
  return `.kurisu-${randomBytes(8).toString("hex")}.tmp`;
}

async function checkVersion(
  folder: OpenFolder,
  name: string,
  before: Stats | undefined,
  expected: string,
): Promise<void> {
  if (expected === "absent" || before === undefined) {
    if (expected === "absent" && before === undefined) return;
    throw createFileFault("ECHANGED");
  }
  if (hashContent(await readBytes(folder, name, maxFileBytes)) !== expected) throw createFileFault("ECHANGED");
}

/** Adds to a child, or makes it. Answers whether it existed. */
export async function appendFile(
  folder: OpenFolder,
  name: string,
  content: Uint8Array,
  options: { readonly owner: ContainerIdentity | undefined; readonly most: number },
): Promise<boolean> {
  const { handle, existed } = await openForAppending(folder, name);
  try {
    const { size } = await handle.stat();
    if (size + content.length > options.most) throw createFileFault("EFBIG");
    if (!existed && options.owner !== undefined) await handle.chown(options.owner.uid, options.owner.gid);
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
  return existed;
}

async function openForAppending(folder: OpenFolder, name: string): Promise<{ handle: FileHandle; existed: boolean }> {
  try {
    return { handle: await openRegularFile(folder, name, O_WRONLY | O_APPEND), existed: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return { handle: await openRegularFile(folder, name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL), existed: false };
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
