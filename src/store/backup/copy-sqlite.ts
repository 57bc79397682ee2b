import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";

/** The databases of a data folder. */
export const databaseFiles = ["kurisu.db", "checkpoints.db"] as const;

/** One step blocks writers of this process for a few milliseconds; all pages at once would for half a second per 200 MB. */
const pagesAtOnce = 256;

/**
 * Copies both databases as they are at this moment, while others write. The two read transactions begin in one turn of
 * the event loop, between two commits of this process, so a checkpoint in the copy belongs to the rows beside it. A
 * writer does not restart a copy, which reads from its transaction.
 */
export async function copySqlite(home: string, to: string, signal?: AbortSignal): Promise<void> {
  const pinned: { readonly name: string; readonly database: DatabaseSync }[] = [];
  try {
    for (const name of databaseFiles) {
      const database = new DatabaseSync(join(home, name), { readOnly: true, timeout: 5_000 });
      pinned.push({ name, database });
      database.exec("BEGIN");
      database.prepare("SELECT 1 FROM sqlite_schema").get();
    }
    for (const { database, name } of pinned)
      await backup(database, join(to, name), { rate: pagesAtOnce, progress: () => signal?.throwIfAborted() });
  } finally {
    for (const { database } of pinned) database.close();
  }
}
