import { createHash } from "node:crypto";
import { constants, copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { numberFileName } from "../../core/safe-file-name.ts";
import type { FileMessage } from "../types.ts";

const mostNumbers = 999;

/**
 * Copies a file that was sent to a terminal to where its person finds it, and answers the path. Nothing is overwritten;
 * the same file again (a message that is sent once more after a crash) is the one that is there.
 */
export async function saveReceived(folder: string, file: FileMessage["file"], kept: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let number = 1; ; number += 1) {
    const path = join(folder, numberFileName(file.name, number));
    try {
      await copyFile(kept, path, constants.COPYFILE_EXCL);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || number === mostNumbers) throw error;
    }
    if ((await hash(path)) === file.sha256) return path;
  }
}

async function hash(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
