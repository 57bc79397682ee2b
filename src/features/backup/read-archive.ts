import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { Header, Pax } from "tar";
import { AppError, describeError } from "../../core/errors.ts";

const block = 512;
const maxPaxBytes = 64 * 1024;
/** More than the longest path of a file system. */
const maxPathLength = 4_096;

export interface ArchiveEntry {
  readonly path: string;
  readonly bytes: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Chunks that are not read are skipped. */
  readonly chunks: AsyncIterable<Buffer>;
}

/**
 * The files of a backup in their order, without holding one in memory. A link, a device, or a path that leads out of the
 * archive refuses the whole; so does a file that is cut off. Throws AppError BACKUP_DAMAGED.
 */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const source = createBlockReader(file);
  try {
    let path: string | undefined;
    for (;;) {
      const header = readHeader(await source.take(block));
      if (header === undefined) {
        // To the end, where the checksum of the packed file is: the manifest has no digest of its own.
        await source.drain();
        return;
      }
      if (header.type === "ExtendedHeader") {
        if (header.bytes > maxPaxBytes) throw describeDamage(file, "an extended header is too long");
        ({ path } = Pax.parse((await source.take(roundUp(header.bytes))).toString("utf8", 0, header.bytes)));
        continue;
      }
      const { bytes, gid, mode, uid } = header;
      const entry = { path: path ?? header.path, bytes, mode, uid, gid };
      path = undefined;
      if (header.type !== "File" && header.type !== "OldFile")
        throw describeDamage(file, `${JSON.stringify(entry.path)} is a link or no plain file (${header.type})`);
      if (!isSafe(entry.path)) throw describeDamage(file, `${JSON.stringify(entry.path)} leads out of the backup`);
      const left = { bytes: entry.bytes };
      yield { ...entry, chunks: readBody(source, left) };
      for await (const chunk of readBody(source, left)) void chunk;
      await source.take(roundUp(entry.bytes) - entry.bytes);
    }
  } finally {
    source.close();
  }

  function readHeader(bytes: Buffer): (Omit<ArchiveEntry, "chunks"> & { readonly type: string }) | undefined {
    const { cksumValid, gid = 0, mode = 0o600, nullBlock, path, size = -1, type, uid = 0 } = decodeHeader(file, bytes);
    if (nullBlock) return undefined;
    if (!cksumValid || path === undefined || size < 0) throw describeDamage(file, "it is no backup, or it is damaged");
    return { path, bytes: size, mode, uid, gid, type };
  }
}

function decodeHeader(file: string, bytes: Buffer): Header {
  try {
    return new Header(bytes, 0);
  } catch (error) {
    throw describeDamage(file, "it is no backup, or it is damaged", error);
  }
}

/** Stays below the folder it is unpacked into, on every system. */
function isSafe(path: string): boolean {
  if (path.length > maxPathLength || path.includes("\\") || path.includes("\0")) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

const roundUp = (bytes: number): number => Math.ceil(bytes / block) * block;

/** Faults of the reading itself, which are told as they are. */
const readingCodes: readonly unknown[] = ["ENOENT", "EACCES", "EISDIR", "EIO"];

function describeFault(file: string, error: unknown): unknown {
  if (readingCodes.includes((error as NodeJS.ErrnoException).code)) return error;
  return describeDamage(file, describeError(error), error);
}

/** Why a file is no backup that can be restored. */
export function describeDamage(file: string, reason: string, cause?: unknown): AppError {
  return new AppError(
    "BACKUP_DAMAGED",
    `${file} cannot be restored: ${reason}. Nothing was touched; take another one.`,
    {
      cause,
    },
  );
}

interface BlockReader {
  /** Exactly so many bytes; throws when the file ends before. */
  take(bytes: number): Promise<Buffer>;
  /** At most so many, at least one. */
  takeSome(most: number): Promise<Buffer>;
  /** Reads what is left, which must be empty blocks. */
  drain(): Promise<void>;
  close(): void;
}

async function* readBody(source: BlockReader, left: { bytes: number }): AsyncGenerator<Buffer> {
  while (left.bytes > 0) {
    const chunk = await source.takeSome(left.bytes);
    left.bytes -= chunk.length;
    yield chunk;
  }
}

function createBlockReader(file: string): BlockReader {
  const raw = createReadStream(file);
  const unpacked = createGunzip();
  raw.on("error", (error) => unpacked.destroy(error));
  raw.pipe(unpacked);
  const chunks = unpacked[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);

  /** False at the end of the file. */
  async function fill(): Promise<boolean> {
    while (rest.length === 0) {
      const next = await chunks.next().catch((error: unknown) => {
        throw describeFault(file, error);
      });
      if (next.done) return false;
      rest = next.value;
    }
    return true;
  }

  async function takeSome(most: number): Promise<Buffer> {
    if (!(await fill())) throw describeDamage(file, "it is cut off");
    const part = rest.subarray(0, most);
    rest = rest.subarray(part.length);
    return part;
  }

  return {
    takeSome,
    async take(bytes) {
      const parts: Buffer[] = [];
      for (let left = bytes; left > 0;) {
        const part = await takeSome(left);
        parts.push(part);
        left -= part.length;
      }
      return Buffer.concat(parts);
    },
    async drain() {
      while (await fill()) {
        if (rest.some((byte) => byte !== 0)) throw describeDamage(file, "something follows its end");
        rest = Buffer.alloc(0);
      }
    },
    close() {
      raw.destroy();
      unpacked.destroy();
    },
  };
}
