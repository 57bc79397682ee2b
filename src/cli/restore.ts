import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { tables } from "../assembly/features.ts";
import { AppError, describeError } from "../core/errors.ts";
import { kurisuCommand, ownHome } from "../core/kurisu-command.ts";
import { countOf } from "../core/words/count-of.ts";
import { summariseManifest, type Manifest } from "../features/backup/manifest.ts";
import { listPresentData, placeFiles } from "../features/backup/place-files.ts";
import { unpackBackup } from "../features/backup/unpack-backup.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import { toTerminalLine } from "../kernel/command-line/to-terminal-text.ts";
import { readAuditAnchors } from "../store/audit-anchor.ts";
import { examineCopy } from "../store/backup/examine-copy.ts";
import type { StagedSchema } from "../store/backup/load-postgres.ts";
import { lockDataFolder } from "../store/engines/lock-data-folder.ts";
import { checkpointMigrations, formerSteps } from "../store/migrations/migrate.ts";
import { openStore } from "../store/open-store.ts";
import { appendAudit } from "../store/queries/audit.ts";
import { verifyAudit } from "../store/verify-audit.ts";
import type { Command } from "./types.ts";

const help = `${kurisuCommand} restore FILE [--replace] [--json]

Brings back what ${kurisuCommand} backup wrote, or an automatic backup (KURISU_HOME/backups/). Stop Kurisu first. Everything in FILE is
checked before anything is touched: each file, the rows, the chain of the audit.

--replace   moves the present data to before-restore-TIME in the data folder (on Postgres: to a schema of that name) and
            deletes nothing; without it only an empty place is filled

The configuration (config/, .env) is in no backup and stays as it is. A backup of SQLite goes into SQLite, one of Postgres into
Postgres; ${kurisuCommand} migrate-store crosses over.`;

interface RestorePlace {
  readonly home: string;
  readonly url: string | undefined;
}

export const restoreCommand: Command = {
  name: "restore",
  help,
  async run(context) {
    const { values, positionals } = readOptions("restore", context.arguments, {
      json: { type: "boolean", default: false },
      replace: { type: "boolean", default: false },
    });
    const [given, ...more] = positionals;
    if (given === undefined) throw new AppError("USAGE", `${help}\n\nFILE is missing: name the backup to restore.`);
    if (more.length > 0) throw new AppError("USAGE", `${help}\n\nGive one FILE only.`);
    const { home, store } = context.configuration();
    const file = resolve(given);
    const place = { home, url: store.url };
    const traces = noteTraces(home);
    const lock = lockDataFolder(home, "restore");
    let restored = false;
    try {
      const databaseLock = place.url === undefined ? undefined : await holdDatabase(place.url);
      try {
        const { aside, manifest } = await restore(file, place, values.replace);
        restored = true;
        const { bytes: _packed, ...summary } = summariseManifest(manifest, file, 0);
        if (values.json) process.stdout.write(`${JSON.stringify({ ...summary, at: manifest.at, aside })}\n`);
        else for (const line of describe(manifest, { home, file, aside })) process.stdout.write(`${line}\n`);
        return 0;
      } finally {
        await databaseLock?.release();
      }
    } finally {
      // While this process holds the lock, no other can have taken it.
      if (!restored) traces.removeFiles();
      lock.release();
      if (!restored) traces.removeFolders();
    }
  },
};

/** Notes what of the data folder is there, so that a refused restore can remove what its lock added. */
function noteTraces(home: string) {
  // The lock of a folder that was there stays: another process may have opened the file already and wait for it.
  const names = existsSync(home) ? ["kurisu.pid"] : ["kurisu.pid", "kurisu.lock"];
  const files = names.map((name) => join(home, name)).filter((file) => !existsSync(file));
  const folders: string[] = [];
  for (let folder = home; !existsSync(folder); folder = dirname(folder)) folders.push(folder);
  return {
    removeFiles(): void {
      for (const file of files) rmSync(file, { force: true });
    },
    removeFolders(): void {
      for (const folder of folders) if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
    },
  };
}

async function holdDatabase(url: string) {
  const { lockDatabase } = await import("../store/engines/lock-database.ts");
  const ignore = (): void => undefined;
  return lockDatabase({ url, purpose: "restore", tries: 3, onLost: ignore, onTrouble: ignore });
}

async function restore(
  file: string,
  place: RestorePlace,
  replaces: boolean,
): Promise<{ readonly manifest: Manifest; readonly aside: string | null }> {
  const { home, url } = place;
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  const staging = join(home, `restoring-${time}`);
  const names = { staged: `restoring_${time.replace("-", "_")}`, aside: `before_restore_${time.replace("-", "_")}` };
  const staged = url === undefined ? undefined : await openStaged(url, names.staged);
  try {
    const present = await listPresentData(home);
    const hasTables = (await staged?.isOccupied()) ?? false;
    if ((present.length > 0 || hasTables) && !replaces) {
      const remedy = "Add --replace: it moves that aside and deletes nothing. Or set KURISU_HOME to an empty folder.";
      throw new AppError(
        "RESTORE_REFUSED",
        `There is data in ${home}${url === undefined ? "" : " or its database"}. ${remedy}`,
      );
    }
    await mkdir(staging, { mode: 0o700 });
    const manifest = await unpackBackup(file, staging);
    refuseForeign(file, manifest, place);
    await (staged === undefined
      ? readySqlite(file, manifest, staging)
      : readyPostgres(file, manifest, staging, staged));
    const folders = [join(staging, "files"), ...(staged === undefined ? [join(staging, "database")] : [])];
    const aside = join(home, `before-restore-${time}`);
    await placeFiles(home, {
      folders,
      present,
      aside,
      settle: async () => staged?.exchange(names.aside),
    });
    const kept = [...(present.length > 0 ? [aside] : []), ...(hasTables ? [`the schema ${names.aside}`] : [])];
    return { manifest, aside: kept.length > 0 ? kept.join(" and ") : null };
  } catch (error) {
    throw describeFull(home, error);
  } finally {
    await rm(staging, { recursive: true, force: true });
    await staged?.close();
  }
}

async function openStaged(url: string, schema: string): Promise<StagedSchema> {
  const { stageSchema } = await import("../store/backup/load-postgres.ts");
  return stageSchema(url, schema);
}

function refuseForeign(file: string, { engine, steps }: Manifest, { url }: RestorePlace): void {
  const here = url === undefined ? "sqlite" : "postgres";
  if (engine !== here) {
    const remedy = `Restore it into ${engine} (${engine === "sqlite" ? "without DATABASE_URL" : "set DATABASE_URL"}), then cross over with ${kurisuCommand} migrate-store.`;
    throw new AppError(
      "RESTORE_REFUSED",
      `${file} is a backup of ${engine}, and the database here is ${here}. ${remedy}`,
    );
  }
  const known = new Set([...Object.keys(tables.migrations), ...Object.keys(checkpointMigrations), ...formerSteps]);
  const unknown = Object.values(steps)
    .flat()
    .find((step) => !known.has(step));
  if (unknown !== undefined)
    throw new AppError(
      "STORE_NEWER",
      `${file} was made by a newer Kurisu (${unknown} is unknown here). Install that version; nothing was touched.`,
    );
}

/** Compares the databases with the manifest, and opens them with this version. */
async function readySqlite(file: string, manifest: Manifest, staging: string): Promise<void> {
  const folder = join(staging, "database");
  const examined = examineCopy(folder);
  if (examined.kind === "damaged") throw damaged(file, examined.detail);
  const { audit, steps, tables: rows } = examined.facts;
  const same =
    JSON.stringify([rows, audit, steps]) === JSON.stringify([manifest.tables, manifest.audit, manifest.steps]);
  if (!same) throw damaged(file, "its rows are not those of its manifest");
  await settle(file, manifest, { home: folder, staging });
}

async function readyPostgres(file: string, manifest: Manifest, staging: string, staged: StagedSchema): Promise<void> {
  const { audit, sequences = {}, steps, tables: rows } = manifest;
  await staged.load(join(staging, "database"), { audit, sequences, steps, tables: rows }, tables);
  await settle(file, manifest, { home: staging, url: staged.url, staging });
}

/** Opens what is staged as a start would, reads the whole chain of the audit, and adds a row of its own to it. */
async function settle(
  file: string,
  manifest: Manifest,
  { staging, ...place }: { readonly home: string; readonly url?: string; readonly staging: string },
): Promise<void> {
  const store = await openStore(place, tables);
  try {
    const anchors = readAuditAnchors(join(staging, "files", "audit-anchor"))?.anchors ?? [];
    const verdict = await verifyAudit(store, anchors);
    if (verdict.kind === "broken") throw damaged(file, `its audit is broken: ${verdict.detail}`);
    if (verdict.rows !== (manifest.audit?.position ?? 0)) throw damaged(file, "its audit is not that of its manifest");
    const detail = { at: manifest.at, version: manifest.version };
    await appendAudit(store.main, { actor: "cli:owner", action: "backup.restored", detail, now: Date.now() });
  } finally {
    await store.close();
  }
}

function damaged(file: string, reason: string): AppError {
  return new AppError(
    "BACKUP_DAMAGED",
    `${file} cannot be restored: ${reason}. Nothing was touched; take another one.`,
  );
}

function describeFull(home: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || (code !== "ENOSPC" && code !== "EDQUOT")) return error;
  const remedy = "Unpacked it needs more space than is free there. Free some; nothing was touched.";
  return new AppError("RESTORE_REFUSED", `${home} is full: ${describeError(error)}. ${remedy}`, { cause: error });
}

function describe(
  manifest: Manifest,
  { home, file, aside }: { readonly home: string; readonly file: string; readonly aside: string | null },
): readonly string[] {
  const { files, left, rows, tables: count } = summariseManifest(manifest, file, 0);
  return [
    `Restored ${toTerminalLine(file)} of ${manifest.at}: ${countOf(count, "table")}, ${countOf(rows, "row")}, ${countOf(files, "file")}.`,
    ...(left.workspaces === undefined
      ? []
      : ["The files of chats were not in this backup: they were too large for an automatic one."]),
    ...(aside === null ? [] : [`What was there before is in ${toTerminalLine(aside)}; delete it when all is well.`]),
    `Now: ${nameStart(home)}`,
  ];
}

/** The command that starts Kurisu on this folder: without KURISU_HOME it would start on the usual one. */
function nameStart(home: string): string {
  return home === ownHome ? `${kurisuCommand} start` : `KURISU_HOME=${quoteForShell(home)} ${kurisuCommand} start`;
}

function quoteForShell(text: string): string {
  const shown = toTerminalLine(text);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
