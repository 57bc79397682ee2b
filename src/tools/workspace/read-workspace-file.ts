import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { FileRefused } from "./file-faults.ts";
import type { OpenFolder } from "./open-folder.ts";

const mebibyte = 1024 * 1024;
/** Largest file that is read or written, in bytes. */
export const largestFile = 10 * mebibyte;

/** Opens a child that is a regular file with no second name. O_NONBLOCK: a pipe must not make the open wait for ever. */
export async function openRegularFile(
  folder: OpenFolder,
  name: string,
  flags: number,
  shown: string,
): Promise<FileHandle> {
  const handle = await open(folder.child(name), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o644);
  try {
    await folder.verify();
    const found = await handle.stat();
    if (found.isDirectory()) throw new FileRefused(`"${shown}" is a folder; name a file in it.`);
    if (!found.isFile()) throw new FileRefused(`"${shown}" is not a regular file; only regular files can be used.`);
    if (found.nlink !== 1)
      throw new FileRefused(`"${shown}" is one file under several names (a hard link); copy it first.`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The whole file. It may grow while it is read, so the limit holds for what was read, not for what was promised. */
export async function readBytes(folder: OpenFolder, name: string, shown: string, most = largestFile): Promise<Buffer> {
  const handle = await openRegularFile(folder, name, constants.O_RDONLY, shown);
  try {
    const pieces: Buffer[] = [];
    let total = 0;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(256 * 1024), 0, 256 * 1024, null);
      if (bytesRead === 0) return Buffer.concat(pieces);
      total += bytesRead;
      if (total > most) {
        throw new FileRefused(
          `"${shown}" is larger than ${most / mebibyte} MiB; look at parts of it in the shell (head, tail, grep).`,
        );
      }
      pieces.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** Bytes as text. Only UTF-8 without NUL is text. */
export function decodeText(bytes: Buffer, shown: string): string {
  const binary = new FileRefused(
    `"${shown}" is not a text file (${bytes.length} bytes that are no UTF-8); look at it in the shell (file, xxd, iconv).`,
  );
  if (bytes.includes(0)) throw binary;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw binary;
  }
}
