import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError, describeError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { databaseFiles } from "./copy-sqlite.ts";
import { findNewestBackup } from "./find-newest-backup.ts";

/** In a data folder whose contents are just being exchanged. */
export const restoreMark = "restore-unfinished";

/** SQLITE_CORRUPT and SQLITE_NOTADB (https://sqlite.org/rescode.html). */
const damageCodes = [11, 26];

/** Refuses a data folder in which a restore was cut off. */
export function refuseUnfinishedRestore(home: string): void {
  if (!existsSync(join(home, restoreMark))) return;
  throw new AppError(
    "RESTORE_UNFINISHED",
    `A restore into ${home} was cut off. Run it again: ${kurisuCommand} restore FILE --replace. What was there before it is in before-restore-… of that folder.`,
  );
}

/**
 * Checks the files of the database before they are used, when the process before did not end by itself: a clean end
 * leaves no write-ahead log. 1.7 ms per MB; each automatic backup makes the same check of its copy, so a start
 * after a clean end need not. The caller holds the data folder.
 */
export function refuseDamagedDatabase(home: string): void {
  for (const name of databaseFiles) {
    const file = join(home, name);
    if (!existsSync(file)) continue;
    const unclean = sizeOf(`${file}-wal`) > 0;
    const damage = findDamage(file, unclean);
    if (damage !== undefined) throw describeDamage(home, file, damage);
  }
}

function findDamage(file: string, whole: boolean): string | undefined {
  try {
    const database = new DatabaseSync(file, { timeout: 5_000 });
    try {
      if (!whole) {
        database.prepare("SELECT count(*) FROM sqlite_schema").get();
        return undefined;
      }
      const found = database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
      return found === "ok" ? undefined : String(found);
    } finally {
      database.close();
    }
  } catch (error) {
    if (isDamage(error)) return describeError(error);
    throw new AppError("DATA_FOLDER_UNUSABLE", `Cannot open the database ${file}: ${describeError(error)}`, {
      cause: error,
    });
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && damageCodes.includes(Number(error.errcode) & 0xff);
}

function describeDamage(home: string, file: string, damage: string): AppError {
  const newest = findNewestBackup(home);
  const remedy =
    newest === undefined
      ? `There is no backup in ${home}; restore one of yours: ${kurisuCommand} restore FILE --replace.`
      : `The newest backup is ${newest}: ${kurisuCommand} restore ${newest} --replace.`;
  return new AppError(
    "DATABASE_DAMAGED",
    `${file} is damaged (${damage}). ${remedy} It moves the present data aside and deletes nothing.`,
  );
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
