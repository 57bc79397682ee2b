import { createHash } from "node:crypto";
import { lstat, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError, describeError } from "../../core/errors.ts";
import { databaseFiles } from "../../store/backup/copy-sqlite.ts";
import { isLeftOut } from "./left-out.ts";
import { databaseFolder, filesFolder, manifestPath, manifestSchema, type Manifest } from "./manifest.ts";
import { describeDamage, readArchive, type ArchiveEntry } from "./read-archive.ts";

const maxManifestBytes = 256 * 1024 * 1024;
const rowsPattern = /^[a-z][a-z0-9_]{0,62}\.ndjson$/;

/**
 * Unpacks a backup into `to`, an empty folder, and compares every byte with its manifest. Nothing else is touched. Throws
 * AppError BACKUP_DAMAGED, or STORE_NEWER for one that only a newer Kurisu can read.
 */
export async function unpackBackup(file: string, to: string): Promise<Manifest> {
  const found = await lstat(file).catch((error: unknown) => {
    throw new AppError("USAGE", `${file} cannot be read: ${describeError(error)}`, { cause: error });
  });
  if (!found.isFile() && !found.isSymbolicLink()) throw describeDamage(file, "it is no file");
  const unpacked = new Map<string, { readonly bytes: number; readonly sha256: string }>();
  let manifest: Manifest | undefined;
  for await (const entry of readArchive(file)) {
    if (manifest !== undefined) throw describeDamage(file, "something follows its manifest");
    if (entry.path === manifestPath) {
      manifest = await readManifest(file, entry);
      continue;
    }
    if (!isExpected(entry.path))
      throw describeDamage(file, `${JSON.stringify(entry.path)} does not belong into a backup`);
    if (unpacked.has(entry.path)) throw describeDamage(file, `${JSON.stringify(entry.path)} is in it twice`);
    unpacked.set(entry.path, { bytes: entry.bytes, sha256: await writeEntry(file, join(to, entry.path), entry) });
  }
  if (manifest === undefined) throw describeDamage(file, "it has no manifest");
  for (const { bytes, path, sha256 } of manifest.files) {
    const one = unpacked.get(path);
    if (one?.bytes !== bytes || one.sha256 !== sha256)
      throw describeDamage(file, `${JSON.stringify(path)} is not what was written`);
    unpacked.delete(path);
  }
  const [extra] = unpacked.keys();
  if (extra !== undefined) throw describeDamage(file, `${JSON.stringify(extra)} is not in its manifest`);
  return manifest;
}

function isExpected(path: string): boolean {
  if (path.startsWith(databaseFolder)) {
    const name = path.slice(databaseFolder.length);
    return databaseFiles.some((one) => one === name) || rowsPattern.test(name);
  }
  return path.startsWith(filesFolder) && !isLeftOut(path.slice(filesFolder.length).split("/")[0] ?? "");
}

async function readManifest(file: string, entry: ArchiveEntry): Promise<Manifest> {
  if (entry.bytes > maxManifestBytes) throw describeDamage(file, "its manifest is too long");
  const chunks: Buffer[] = [];
  for await (const chunk of entry.chunks) chunks.push(chunk);
  let read: unknown;
  try {
    read = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (error) {
    throw describeDamage(file, "its manifest cannot be read", error);
  }
  const format = (read as { readonly format?: unknown } | null)?.format;
  if (typeof format === "number" && format > 1)
    throw new AppError("STORE_NEWER", `${file} was made by a newer Kurisu. Install that version; nothing was touched.`);
  const parsed = manifestSchema.safeParse(read);
  if (!parsed.success) throw describeDamage(file, "its manifest is none of Kurisu");
  return parsed.data;
}

/** Answers the digest of what was written. */
async function writeEntry(file: string, path: string, entry: ArchiveEntry): Promise<string> {
  const hash = createHash("sha256");
  const asRoot = process.getuid?.() === 0;
  const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, "wx", 0o600).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw describeDamage(file, `${JSON.stringify(entry.path)} is in it twice`, error);
    throw error;
  });
  try {
    for await (const chunk of entry.chunks) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.chmod(entry.mode & 0o700);
    // Commands in containers own the files of chats; only root can give them back.
    if (asRoot) {
      await handle.chown(entry.uid, entry.gid);
      if (made !== undefined) await giveFolders(made, dirname(path), entry);
    }
    if (entry.path.startsWith(databaseFolder)) await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest("hex");
}

/** Folders that were made for a file belong to its owner. */
async function giveFolders(first: string, last: string, { gid, uid }: ArchiveEntry): Promise<void> {
  for (let folder = last; folder.length >= first.length; folder = dirname(folder)) {
    const handle = await open(folder);
    try {
      await handle.chown(uid, gid);
    } finally {
      await handle.close();
    }
  }
}
