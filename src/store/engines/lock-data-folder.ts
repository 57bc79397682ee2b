import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError, describeError } from "../../core/errors.ts";
import { createPrivately } from "./keep-private.ts";

const holderName = "kurisu.pid";

/** The right to work on a data folder. */
export interface DataFolderLock {
  /** This process, as long as it has the folder. */
  readonly holder: string;
  /** The process that had the folder before. It has ended. */
  readonly former: string | undefined;
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly purpose: string;
  /** Absent in a note of an earlier version. */
  readonly holder?: string;
}

/**
 * Takes the folder for this process. The lock is an open SQLite transaction: the system releases it when the process
 * ends, however it ends, so there is never a stale lock.
 */
export function lockDataFolder(home: string, purpose: string): DataFolderLock {
  const holderFile = join(home, holderName);
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
    const holder = describeHolder(home);
    throw new AppError(
      "DATA_FOLDER_BUSY",
      `${holder} works on the data folder ${home} already. Stop it first, or set KURISU_HOME to another folder.`,
      { cause: error },
    );
  }
  const former = readHolder(home)?.holder;
  const holder = randomUUID();
  writeFileSync(holderFile, JSON.stringify({ pid: process.pid, purpose, holder }), { mode: 0o600 });
  return { holder, former, release: () => database.close() };
}

function describeHolder(home: string): string {
  const holder = readHolder(home);
  return holder === undefined ? "Another process" : `Process ${holder.pid} (kurisu ${holder.purpose})`;
}

/** @returns The process that took the folder last, or undefined if its note cannot be read. */
export function readHolder(home: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(home, holderName), "utf8")) as Holder;
  } catch {
    // It is for people to read; the lock itself is elsewhere.
    return undefined;
  }
}
