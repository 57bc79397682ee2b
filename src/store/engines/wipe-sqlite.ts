import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** A file up to this size, in bytes, is rewritten at once: it blocks for less than a second. */
const maxAtOnce = 128 * 1024 * 1024;
/** `user_version` of a larger file that is to be rewritten when no process uses it. */
const due = 1;

/**
 * Deleted content is overwritten where it was (`secure_delete`), but pages that were rebuilt may hold older copies of
 * it in their gaps. So the file is rewritten, and the log emptied. A file that is too large for that waits for the end
 * of the process. When another process uses the file, it stays due; that is no fault.
 */
export function wipeSqlite(file: string, most = maxAtOnce): void {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec(`PRAGMA user_version=${due}`);
    if (statSync(file).size <= most) database.exec(`VACUUM; PRAGMA user_version=0`);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // SQLITE_BUSY and SQLITE_LOCKED (https://sqlite.org/rescode.html).
    if (!(error instanceof Error && "errcode" in error && [5, 6].includes(Number(error.errcode) & 0xff))) throw error;
  } finally {
    database.close();
  }
}

export function isWipeDue(file: string): boolean {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare("PRAGMA user_version").get()?.["user_version"] === due;
  } finally {
    database.close();
  }
}
