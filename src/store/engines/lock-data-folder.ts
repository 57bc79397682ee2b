import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError, describeError } from "../../core/errors.ts";
import { createPrivately } from "./keep-private.ts";

/** The right to work on a data folder. */
export interface DataFolderLock {
  release(): void;
}

/**
 * Takes the folder for this process. The lock is an open SQLite transaction: the system lets go of it when the process
 * ends, however it ends, so there is no stale lock to guess about.
 */
export function lockDataFolder(home: string, purpose: string): DataFolderLock {
  const holderFile = join(home, "kurisu.pid");
  let database: DatabaseSync;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    createPrivately(join(home, "kurisu.lock"));
    database = new DatabaseSync(join(home, "kurisu.lock"), { timeout: 0 });
  } catch (error) {
    throw new AppError("DATA_FOLDER_UNUSABLE", `Cannot use the data folder ${home}: ${describeError(error)}`, {
      cause: error,
    });
  }
  try {
    database.exec("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!describeError(error).includes("locked")) {
      throw new AppError("DATA_FOLDER_UNUSABLE", `Cannot use the data folder ${home}: ${describeError(error)}`, {
        cause: error,
      });
    }
    const holder = readHolder(holderFile);
    throw new AppError(
      "DATA_FOLDER_BUSY",
      `${holder} works on the data folder ${home} already. Stop it first, or set KURISU_HOME to another folder.`,
      { cause: error },
    );
  }
  writeFileSync(holderFile, JSON.stringify({ pid: process.pid, purpose }), { mode: 0o600 });
  return { release: () => database.close() };
}

function readHolder(file: string): string {
  try {
    const { pid, purpose } = JSON.parse(readFileSync(file, "utf8")) as { pid: number; purpose: string };
    return `Process ${pid} (kurisu ${purpose})`;
  } catch (error) {
    return `Another process (${describeError(error)})`;
  }
}
