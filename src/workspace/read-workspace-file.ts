import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { createFileFault } from "./file-faults.ts";
import type { OpenFolder } from "./open-folder.ts";

/** Opens a child that is a regular file with no second name. O_NONBLOCK: a pipe must not make the open wait for ever. */
export async function openRegularFile(folder: OpenFolder, name: string, flags: number): Promise<FileHandle> {
  const handle = await open(folder.child(name), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o644);
  try {
    await folder.verify();
    const found = await handle.stat();
    if (found.isDirectory()) throw createFileFault("EISDIR");
    if (!found.isFile()) throw createFileFault("EIRREGULAR");
    if (found.nlink !== 1) throw createFileFault("EHARDLINK");
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const pieceBytes = 256 * 1024;

/** The whole file. It may grow while it is read, so the limit holds for what was read, not for what was promised. */
export async function readBytes(folder: OpenFolder, name: string, most: number): Promise<Buffer> {
  const handle = await openRegularFile(folder, name, constants.O_RDONLY);
  try {
    const pieces: Buffer[] = [];
    let total = 0;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, null);
      if (bytesRead === 0) return Buffer.concat(pieces);
      total += bytesRead;
      if (total > most) throw createFileFault("ETOOLARGE");
      pieces.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
