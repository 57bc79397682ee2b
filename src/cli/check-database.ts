import { existsSync } from "node:fs";
import { sql } from "kysely";
import type { Configuration } from "../config.ts";
import { describeError } from "../core/errors.ts";
import { tables } from "../assembly/features.ts";
import { findNewestBackup } from "../store/backup/find-newest-backup.ts";
import { openStore } from "../store/open-store.ts";
import type { Finding } from "../kernel/feature/finding.ts";

const check = "database";

/** Whether a start could use the database now. `running` = a Kurisu works on the data folder and has the database. */
export async function checkDatabase(
  { home, store: { url } }: Pick<Configuration, "home" | "store">,
  running: boolean,
): Promise<Finding> {
  try {
    if (url === undefined) return await checkSqlite(home);
    return await (running ? checkPostgres(home, url) : checkFreePostgres(home, url));
  } catch (error) {
    return { check, state: "broken", detail: describeError(error) };
  }
}

/** Processes that share it may work on it; one that moves or restores it may not. */
async function checkFreePostgres(home: string, url: string): Promise<Finding> {
  const { lockDatabase } = await import("../store/engines/lock-database.ts");
  const ignore = (): void => undefined;
  const lock = await lockDatabase({
    url,
    purpose: "doctor",
    shared: true,
    tries: 3,
    onLost: ignore,
    onTrouble: ignore,
  });
  try {
    return await checkPostgres(home, url);
  } finally {
    await lock.release();
  }
}

async function checkPostgres(home: string, url: string): Promise<Finding> {
  const store = await openStore({ home, url }, tables);
  await store.close();
  return { check, state: "ok", detail: "postgres, tables up to date" };
}

async function checkSqlite(home: string): Promise<Finding> {
  if (!existsSync(`${home}/kurisu.db`)) return { check, state: "ok", detail: "sqlite (new)" };
  const store = await openStore({ home }, tables);
  try {
    const { rows } = await sql<{ quick_check: string }>`PRAGMA quick_check`.execute(store.main);
    const sound = rows[0]?.quick_check === "ok";
    const detail = sound
      ? "sqlite, quick check ok"
      : `${home}/kurisu.db is damaged; restore a backup: ${findNewestBackup(home) ?? "docs/backup.md"}`;
    return { check, state: sound ? "ok" : "broken", detail };
  } finally {
    await store.close();
  }
}
