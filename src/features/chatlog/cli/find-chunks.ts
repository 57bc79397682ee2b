import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join, sep } from "node:path";
import type { ExportReading } from "../import/read-export.ts";
import type { Manifest } from "../import/read-manifest.ts";

/** A file with a part of an export; without a path it is not there. */
export interface Chunk {
  readonly name: string;
  readonly path?: string;
  readonly size?: number;
}

/** The files of an export in a folder: one file, or chunks with the manifest that describes them. */
export type FolderExport =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "chunks"; readonly chunks: readonly Chunk[]; readonly beside: Readonly<Record<string, unknown>> };

/** A manifest holds names and numbers, no messages. */
const maxManifestSize = 32_000_000;
const maxManifests = 50;
const chunkEndings: ReadonlySet<string> = new Set([".jsonl", ".ndjson"]);
const byNumber = new Intl.Collator("en", { numeric: true });

/**
 * Finds the export of a folder: by its manifest, even one in a parent folder, or by its chunks alone; undefined = there
 * is none.
 */
export async function findExportOf(
  folder: string,
  look: (file: string) => Promise<ExportReading>,
): Promise<FolderExport | undefined> {
  const here = await findManifest(folder, look);
  if (here !== undefined) return { kind: "file", path: here };
  const own = listChunks(folder);
  if (own.length > 0 && areNumbered(own)) {
    const above = await findManifest(dirname(realpathSync(folder)), look, basename(realpathSync(folder)));
    return above === undefined ? { kind: "chunks", chunks: own, beside: {} } : { kind: "file", path: above };
  }
  const inner = listChunks(join(folder, "chunks"));
  if (inner.length > 0) return { kind: "chunks", chunks: inner, beside: {} };
  const whole = join(folder, "result.json");
  return sizeOf(whole) === undefined ? undefined : { kind: "file", path: whole };
}

/** The exports in a folder, each in a subfolder of its own with a manifest; otherwise the path alone. */
export function listExports(path: string): readonly string[] {
  const inner = listNames(path).filter((name) => sizeOf(join(path, name, "manifest.json")) !== undefined);
  const isOne = inner.length === 0 || sizeOf(join(path, "manifest.json")) !== undefined;
  return isOne ? [path] : inner.toSorted(byNumber.compare).map((name) => join(path, name));
}

async function findManifest(
  folder: string,
  look: (file: string) => Promise<ExportReading>,
  chunksIn?: string,
): Promise<string | undefined> {
  const files = listNames(folder)
    .filter((name) => extname(name).toLowerCase() === ".json")
    .toSorted((a, b) => Number(b.includes("manifest")) - Number(a.includes("manifest")) || byNumber.compare(a, b));
  for (const name of files.slice(0, maxManifests)) {
    const path = join(folder, name);
    if ((sizeOf(path) ?? Infinity) > maxManifestSize) continue;
    const reading = await look(path);
    if (reading.kind === "manifest" && (chunksIn === undefined || reading.manifest.folder === chunksIn)) return path;
  }
  return undefined;
}

/** The chunks that a manifest names, or all in the folder it names. */
export function findChunks(manifest: string, { chunks, folder }: Manifest): readonly Chunk[] {
  const base = dirname(manifest);
  if (chunks.length === 0) return listChunks(join(base, folder));
  return chunks.map((name) => {
    // V5.0 names a chunk with its folder, others without.
    const places = [name, join(folder, name), join(folder, basename(name)), basename(name)];
    const path = places.map((place) => join(base, place)).find((place) => isWithin(base, place));
    const size = path === undefined ? undefined : sizeOf(path);
    return { name, ...(path !== undefined && { path }), ...(size !== undefined && { size }) };
  });
}

/** A manifest comes from elsewhere: it must not have other files of the operator read. */
function isWithin(base: string, path: string): boolean {
  return sizeOf(path) !== undefined && realpathSync(path).startsWith(`${realpathSync(base)}${sep}`);
}

function listChunks(folder: string): readonly Chunk[] {
  return listNames(folder)
    .filter((name) => chunkEndings.has(extname(name).toLowerCase()))
    .toSorted(byNumber.compare)
    .map((name) => {
      const path = join(folder, name);
      return { name, path, size: sizeOf(path) ?? 0 };
    });
}

/** c000001.jsonl, c000002.jsonl belong together; other files in one folder are separate exports. */
function areNumbered(chunks: readonly Chunk[]): boolean {
  const stems = chunks.map(({ name }) => /^(.*?)\d+$/.exec(basename(name, extname(name)))?.[1]);
  return stems.every((stem) => stem !== undefined && stem === stems[0]);
}

function listNames(folder: string): readonly string[] {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true ? readdirSync(folder) : [];
}

/** Returns undefined if there is no such file. */
function sizeOf(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : undefined;
}
