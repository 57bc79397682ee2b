import { countOf } from "../../../core/words/count-of.ts";
import { createReadStream, statSync, type Stats } from "node:fs";
import { AppError, describeError } from "../../../core/errors.ts";
import { formatNames, type FormatName, type ImportPiece } from "../import/import-format.ts";
import { readExport, type ExportReading } from "../import/read-export.ts";
import { findChunks, findExportOf, type Chunk } from "./find-chunks.ts";

/** An export whose messages can be read, in one file or several. */
export interface OpenedExport {
  readonly format: FormatName;
  /** The kind of file it seems to be, in words. */
  readonly looksLike: string;
  readonly pieces: AsyncIterable<readonly ImportPiece[]>;
  /** The share of it that has been read, from 0 to 1. */
  readonly part: () => number;
}

interface Opening {
  readonly format?: FormatName;
  readonly zone: string;
}

/** Opens a file, a manifest or a folder of chunks. Throws AppError USAGE where it is no export. */
export async function openExport(path: string, options: Opening): Promise<OpenedExport> {
  const found = statPath(path);
  const counter = { read: 0, size: found.size };
  const part = (): number => (counter.size === 0 ? 1 : Math.min(1, counter.read / counter.size));
  const open = { ...options, counter };
  if (found.isDirectory()) {
    const place = await findExportOf(path, (file) => read(file, { ...options, counter: { read: 0 } }));
    if (place === undefined)
      throw new AppError(
        "USAGE",
        `${path} is no file, and no folder of one export: it holds no manifest, no chunks and no result.json. Name the exported files.`,
      );
    if (place.kind === "file") return openExport(place.path, options);
    return openChunks(place.chunks, place.beside, open, part);
  }
  if (!found.isFile()) throw new AppError("USAGE", `${path} is no file. Name the exported file itself.`);
  const reading = await read(path, open);
  switch (reading.kind) {
    case "opened":
      // The first pass only looks: nothing it read counts as imported.
      counter.read = 0;
      return { ...reading, part };
    case "manifest":
      return openChunks(findChunks(path, reading.manifest), reading.manifest.beside, open, part);
    case "unrecognised":
      throw new AppError("USAGE", `${path} is no export that is known: it looks like ${reading.looksLike}. ${remedy}`);
  }
}

/** Lists the known formats after an unknown one was given. */
export const remedy = `Known are the formats ${formatNames.join(", ")}: name what it is with --format ${formatNames.join("|")}; docs/memory.md says how each looks.`;

interface Counted extends Opening {
  readonly beside?: Readonly<Record<string, unknown>>;
  readonly counter: { read: number; size?: number };
}

function read(file: string, { counter, ...options }: Counted): Promise<ExportReading> {
  return readExport(() => readBytes(file, counter), options);
}

/** All chunks as one export. A missing chunk is reported by name, and the others are read. */
function openChunks(
  chunks: readonly Chunk[],
  beside: Readonly<Record<string, unknown>>,
  options: Counted & { readonly counter: { size: number } },
  part: () => number,
): OpenedExport {
  const { counter } = options;
  counter.size = chunks.reduce((sum, { size }) => sum + (size ?? 0), 0);
  counter.read = 0;
  const fail = (name: string, why: string): readonly ImportPiece[] => [
    { kind: "faulty", line: 0, reason: `the chunk ${name} ${why}`, isEnd: true },
  ];

  async function* readChunks(): AsyncGenerator<readonly ImportPiece[]> {
    for (const { name, path, size } of chunks) {
      if (path === undefined || size === undefined) {
        yield fail(name, "is missing");
        continue;
      }
      if (size === 0) continue;
      const reading = await read(path, { ...options, counter: { read: 0 }, beside });
      if (reading.kind === "opened") {
        for await (const pieces of reading.pieces) yield pieces.map((piece) => nameChunk(piece, name));
      } else yield fail(name, reading.kind === "manifest" ? "is a manifest itself" : `looks like ${reading.looksLike}`);
      counter.read += size;
    }
  }

  const looksLike =
    chunks.length === 0 ? "a manifest without chunks" : `an export in ${countOf(chunks.length, "chunk")}`;
  return { format: options.format ?? "qq-json", looksLike, pieces: readChunks(), part };
}

/** Line numbers start again in each chunk. */
function nameChunk(piece: ImportPiece, name: string): ImportPiece {
  return piece.kind === "faulty" ? { ...piece, reason: `${piece.reason} (${name})` } : piece;
}

async function* readBytes(file: string, counter: { read: number }): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 262_144 })) {
      const bytes = chunk as Uint8Array;
      counter.read += bytes.length;
      yield bytes;
    }
  } catch (error) {
    throw new AppError("USAGE", `${file} cannot be read: ${describeError(error)}`, { cause: error });
  }
}

function statPath(file: string): Stats {
  try {
    return statSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new AppError("USAGE", `There is no file ${file}.`, { cause: error });
    throw new AppError("USAGE", `${file} cannot be read: ${describeError(error)}`, { cause: error });
  }
}
