import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The folder of automatic backups, in the data folder. */
export const backupsFolder = "backups";

/** Each was checked when it was made. Undefined when there is none. */
export function findNewestBackup(home: string): string | undefined {
  try {
    const newest = readdirSync(join(home, backupsFolder))
      .filter((name) => /^kurisu-.*Z\.tar\.gz$/.test(name))
      .toSorted()
      .at(-1);
    return newest === undefined ? undefined : join(home, backupsFolder, newest);
  } catch {
    // There is no such folder.
    return undefined;
  }
}
