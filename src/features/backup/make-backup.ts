import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../core/clock.ts";
import { AppError, describeError } from "../../core/errors.ts";
import { readProgramVersion } from "../../core/program-version.ts";
import { copySqlite, databaseFiles } from "../../store/backup/copy-sqlite.ts";
import { dumpPostgres, type PostgresDump } from "../../store/backup/dump-postgres.ts";
import { examineAside } from "../../store/backup/examine-aside.ts";
import type { DatabaseFacts } from "../../store/backup/examine-copy.ts";
import type { Store } from "../../store/open-store.ts";
import {
  databaseFolder,
  filesFolder,
  manifestPath,
  summariseManifest,
  type ArchivedFile,
  type BackupSummary,
  type Manifest,
} from "./manifest.ts";
import { syncFolder } from "./sync-folder.ts";
import { chatsFolder, walkHome } from "./walk-home.ts";
import { openArchive, type ArchiveWriter } from "./write-archive.ts";

interface BackupOrder {
  /** An absolute path where nothing is yet. */
  readonly file: string;
  /** Files of chats are left out when they are larger than this in all, in bytes. */
  readonly maxChatBytes?: number;
  /** The stamp of the backup before: when nothing has changed since, none is made. */
  readonly unlessStamp?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

type MadeBackup =
  | { readonly kind: "made"; readonly summary: BackupSummary; readonly manifest: Manifest }
  | { readonly kind: "unchanged" };

/** Writes one file with all data that Kurisu cannot create again. Throws AppError BACKUP_FAILED and leaves no half file. */
export type MakeBackup = (order: BackupOrder) => Promise<MadeBackup>;

interface BackupParts {
  readonly home: string;
  readonly store: Pick<Store, "engine" | "main">;
  readonly clock: Clock;
}

/** One at a time: an order waits for the one before it. */
export function createMakeBackup(parts: BackupParts): MakeBackup {
  let last: Promise<unknown> = Promise.resolve();
  return (order) => {
    const made = last.then(() => makeBackup(parts, order));
    last = made.catch(() => undefined);
    return made;
  };
}

async function makeBackup(parts: BackupParts, order: BackupOrder): Promise<MadeBackup> {
  const { file } = order;
  const [partial, staging] = [`${file}.partial`, `${file}.partial.d`];
  let archive: ArchiveWriter | undefined;
  try {
    await refuseExisting(file);
    // Left by a process that was killed.
    for (const path of [partial, staging]) await rm(path, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    const contents = await stageContents(parts, order, staging);
    if (contents.stamp === order.unlessStamp) return { kind: "unchanged" };
    const at = new Date(parts.clock.now());
    archive = await openArchive(partial, at);
    const manifest = await writeContents(archive, parts, { ...contents, order, staging, at });
    const bytes = await archive.end();
    archive = undefined;
    // The name may have been taken meanwhile: no file of another is overwritten.
    await refuseExisting(file);
    await rename(partial, file);
    await syncFolder(dirname(file));
    return { kind: "made", manifest, summary: summariseManifest(manifest, file, bytes) };
  } catch (error) {
    throw describeFault(file, error);
  } finally {
    await archive?.abandon();
    for (const path of [partial, staging]) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

interface Contents {
  readonly facts: DatabaseFacts | PostgresDump;
  readonly stamp: string;
  /** Bytes of `audit-anchor` that are older than the copy of the database. */
  readonly anchored: number;
  readonly chatBytes: number;
  readonly withoutChats: boolean;
}

/** Copies the database beside the new file, and looks at the rest without copying it. */
async function stageContents({ home, store }: BackupParts, order: BackupOrder, staging: string): Promise<Contents> {
  const { maxChatBytes = Infinity, signal } = order;
  // Before the database: an anchor that is newer than the copy would name rows that are not in it.
  const anchored = (await stat(join(home, "audit-anchor")).catch(() => undefined))?.size ?? 0;
  let facts: Contents["facts"];
  if (store.engine === "sqlite") {
    await copySqlite(home, staging, signal);
    const examined = await examineAside(staging, signal);
    if (examined.kind === "damaged")
      throw new AppError("DATABASE_DAMAGED", `The database is damaged, and was not backed up: ${examined.detail}.`);
    ({ facts } = examined);
    // Left by those who read a copy; there is nothing in them.
    for (const name of await readdir(staging))
      if (!databaseFiles.some((file) => file === name)) await rm(join(staging, name));
  } else facts = await stagePostgres(store, staging, signal);
  const stamp = createHash("sha256");
  for (const name of (await readdir(staging)).toSorted()) await hashFile(join(staging, name), stamp);
  const seen: string[] = [];
  let chatBytes = 0;
  await walkHome(
    home,
    async (path, _handle, stats) => {
      seen.push(`${path}\0${stats.size}\0${stats.mtimeMs}`);
      if (path.startsWith(`${chatsFolder}/`)) chatBytes += stats.size;
    },
    { withoutChats: false, signal },
  );
  stamp.update(seen.toSorted().join("\n"));
  return { facts, anchored, chatBytes, withoutChats: chatBytes > maxChatBytes, stamp: stamp.digest("hex") };
}

/** Each table becomes a file of its own: one row a line, as JSON. */
async function stagePostgres({ main }: Pick<Store, "main">, staging: string, signal: AbortSignal | undefined) {
  let written: { readonly table: string; readonly handle: FileHandle } | undefined;
  try {
    return await dumpPostgres(
      main,
      async (table, lines) => {
        if (written?.table !== table) {
          await written?.handle.close();
          written = { table, handle: await open(join(staging, `${table}.ndjson`), "wx", 0o600) };
        }
        if (lines.length > 0) await written.handle.appendFile(`${lines.join("\n")}\n`);
      },
      signal,
    );
  } finally {
    await written?.handle.close();
  }
}

async function writeContents(
  archive: ArchiveWriter,
  { home, store }: BackupParts,
  given: Contents & { readonly order: BackupOrder; readonly staging: string; readonly at: Date },
): Promise<Manifest> {
  const { anchored, at, chatBytes, facts, order, staging, stamp, withoutChats } = given;
  const { signal } = order;
  const files: ArchivedFile[] = [];
  for (const name of (await readdir(staging)).toSorted()) {
    const handle = await open(join(staging, name));
    try {
      files.push(await archive.add(`${databaseFolder}${name}`, handle, await handle.stat()));
    } finally {
      await handle.close();
    }
    // The disk may hold this twice only for as long as it must.
    await rm(join(staging, name));
  }
  const entries = await walkHome(
    home,
    async (path, handle, stats) => {
      signal?.throwIfAborted();
      const size = path === "audit-anchor" ? Math.min(anchored, stats.size) : stats.size;
      const { gid, mode, uid } = stats;
      files.push(await archive.add(`${filesFolder}${path}`, handle, { size, mode, uid, gid }));
    },
    { withoutChats, signal },
  );
  const manifest: Manifest = {
    format: 1,
    version: readProgramVersion(),
    engine: store.engine,
    at: at.toISOString(),
    steps: Object.fromEntries(Object.entries(facts.steps).map(([ledger, steps]) => [ledger, [...steps]])),
    tables: { ...facts.tables },
    audit: facts.audit,
    ...("sequences" in facts && { sequences: { ...facts.sequences } }),
    left: { entries, ...(withoutChats && { workspaces: chatBytes }) },
    stamp,
    files,
  };
  await archive.addText(manifestPath, `${JSON.stringify(manifest, undefined, 1)}\n`);
  return manifest;
}

async function refuseExisting(file: string): Promise<void> {
  const found = await lstat(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) return;
  const what = found.isSymbolicLink() ? "is a link" : "exists already";
  throw new AppError("BACKUP_FAILED", `${file} ${what}; a backup overwrites nothing. Name a new file.`);
}

async function hashFile(path: string, into: { update(data: Buffer): unknown }): Promise<void> {
  for await (const chunk of createReadStream(path)) into.update(chunk as Buffer);
}

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full: free some space, or name a file on another disk.",
  EDQUOT: "The quota of this user is used up: free some space, or name a file on another disk.",
  EFBIG: "The file system takes no file of this size: name a file on another one.",
  ENOENT: "Its folder is not there: make it, or name another one.",
  ENOTDIR: "Its folder is not there: make it, or name another one.",
  EACCES: "This user may not write there: name a folder of its own.",
  EPERM: "This user may not write there: name a folder of its own.",
  EROFS: "Nothing can be written there: name a file on another disk.",
};

function describeFault(file: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const remedy = remedies[(error as NodeJS.ErrnoException).code ?? ""] ?? "";
  return new AppError("BACKUP_FAILED", `${file} could not be written: ${describeError(error)}. ${remedy}`.trim(), {
    cause: error,
  });
}
