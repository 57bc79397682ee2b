import { closeSync, fdatasync, fdatasyncSync, fstatSync, fsyncSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";
import { AppError, describeError } from "../../core/errors.ts";

/** The file to which SQLite writes what it commits, `<database>-wal`. */
export interface WriteAheadLog {
  /** Writes it to the disk in another thread, so the event loop goes on. */
  sync(done: (error: Error | null) => void): void;
  /**
   * It could not be written, so rows that SQLite has committed may be gone without a trace. In the program this ends the
   * process.
   */
  lose(reason: Error): void;
  close(): void;
}

/**
 * The log of an open database. SQLite empties and reuses this file but does not replace it while a connection is open,
 * so one descriptor does. (Locks lie on the database and its `-shm`; closing this descriptor releases none.)
 */
export function openWriteAheadLog(database: string): WriteAheadLog {
  // Windows flushes only what may be written.
  const descriptor = openSync(`${database}-wal`, "r+");
  // A process that was killed may have left commits here that it had not flushed and that this one reads.
  if (fstatSync(descriptor).size > 0) fdatasyncSync(descriptor);
  syncFolder(dirname(database));
  return {
    sync: (done) => fdatasync(descriptor, done),
    lose(reason) {
      const text =
        `The disk did not take what was written to ${basename(database)} (${describeError(reason)}). ` +
        "Kurisu ends, since she cannot know what of it is kept. Check the disk, then start her again.";
      // Thrown from the callback of `sync`, it ends the process before any writer is answered (main.ts).
      throw new AppError("STORE_FAILED", text, { cause: reason });
    },
    close: () => closeSync(descriptor),
  };
}

/** Without this a new file may have its content on the disk but no name. Not every system syncs folders. */
function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, "r");
    fsyncSync(descriptor);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["EACCES", "EINVAL", "EISDIR", "ENOTSUP", "EPERM"].includes(code)) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
