import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { formatByteSize } from "../../core/byte-size.ts";
import { AppError } from "../../core/errors.ts";
import { databaseFiles } from "../../store/backup/copy-sqlite.ts";

/** Bytes that this process may still write to the file system of a folder. */
export type FindFree = (folder: string) => Promise<number>;

export async function findFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Throws AppError BACKUP_FAILED when an automatic backup could fill the disk that chats are written to. It needs room for a copy
 * of the database, for the packed file, and for the files of chats.
 */
export async function refuseFullDisk(home: string, maxChatBytes: number, findFree: FindFree): Promise<void> {
  const sizes = await Promise.all(
    databaseFiles.map(async (name) => (await stat(join(home, name)).catch(() => undefined))?.size ?? 0),
  );
  const needed = 2 * sizes.reduce((sum, size) => sum + size, 0) + maxChatBytes;
  const free = await findFree(home);
  if (free >= needed) return;
  throw new AppError(
    "BACKUP_FAILED",
    `Only ${formatByteSize(free)} of the disk are free, and a backup may need ${formatByteSize(needed)}. Free some space, keep fewer (backup.hourly, backup.files in schedule.yaml), or set backup.every to off.`,
  );
}
