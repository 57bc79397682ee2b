import { crc32 } from "node:zlib";
import { fromBufferPromise } from "yauzl";
import { describeError } from "../../errors.ts";
import { readZipEntry } from "../../read-zip-entry.ts";

/** CHARX: a ZIP with card.json at its root and pictures below assets/ (Character Card V3, "CHARX"). */

const maxEntries = 1_000;
const maxBytes = 64 * 1024 * 1024;
/** The ratio of an entry's unpacked to its packed size beyond which it is a bomb. Text has 10, at best 50. */
const maxDense = 200;
const encrypted = 0x1;

type CharxResult =
  | { readonly kind: "files"; readonly files: ReadonlyMap<string, Buffer> }
  | { readonly kind: "refused"; readonly problem: string };

/**
 * card.json and the files below assets/, whether the card names them (`embeded://`, the spec's own spelling) or not. Nothing else
 * is unpacked.
 */
export async function readCharx(archive: Buffer): Promise<CharxResult> {
  const files = new Map<string, Buffer>();
  const places = createPlaces();
  let bytes = 0;
  try {
    const zip = await fromBufferPromise(archive, { strictFileNames: true });
    if (zip.entryCount > maxEntries) return refuse(`has ${zip.entryCount} files; ${maxEntries} is the most`);
    for await (const entry of zip.eachEntry()) {
      const name = JSON.stringify(entry.fileName);
      if ((entry.generalPurposeBitFlag & encrypted) !== 0) return refuse(`is encrypted (${name}); unpack it first`);
      bytes += entry.uncompressedSize;
      if (bytes > maxBytes) return refuse(`unpacks to more than ${maxBytes / 1024 / 1024} MB`);
      if (entry.uncompressedSize > maxDense * Math.max(64, entry.compressedSize))
        return refuse(`holds ${name}, which is packed more than ${maxDense} times`);
      const isWanted = entry.fileName === "card.json" || entry.fileName.startsWith("assets/");
      if (!isWanted || entry.fileName.endsWith("/")) continue;
      const fault = places.take(entry.fileName);
      if (fault !== undefined) return refuse(`holds ${name.slice(0, 120)}, ${fault}`);
      files.set(entry.fileName, await readZipEntry(zip, entry));
    }
  } catch (error) {
    return refuse(`is a damaged archive: ${describeError(error)}`);
  }
  return files.has("card.json") ? { kind: "files", files } : refuse("has no card.json at its root");
}

const maxPath = 300;
const maxSegment = 100;

/** Every path must be a file of its own on any disk: also on one that makes no difference between "A" and "a". */
function createPlaces() {
  const files = new Set<string>();
  const folders = new Set<string>();
  return {
    /** A fault is a sentence's end: `"assets/a", whose path …`. */
    take(path: string): string | undefined {
      if (!/^[\x20-\x7e]*$/.test(path)) return "whose path has other characters than printable ASCII";
      if (path.length > maxPath) return `whose path has more than ${maxPath} characters`;
      const segments = path.toLowerCase().split("/");
      if (segments.some((segment) => segment.length > maxSegment))
        return `whose path has a part of more than ${maxSegment} characters`;
      if (segments.some((segment) => /^\.{0,2}$/.test(segment))) return "whose path has an empty part";
      const above = segments.slice(1).map((_, at) => segments.slice(0, at + 1).join("/"));
      const place = segments.join("/");
      if (files.has(place) || folders.has(place) || above.some((folder) => files.has(folder)))
        return "whose path is taken by another of its files";
      files.add(place);
      for (const folder of above) folders.add(folder);
      return undefined;
    },
  };
}

const refuse = (problem: string): CharxResult => ({ kind: "refused", problem });

/** 1980-01-01: the same card gives the same bytes. */
const dosDate = 0x21;

/** Packs files without compressing them: pictures are compressed already (PKWARE APPNOTE 4.3). */
export function writeCharx(files: ReadonlyMap<string, Buffer>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of files) {
    const name = Buffer.from(path, "utf8");
    // Version needed, flags (UTF-8 names), method (stored), time, date, CRC, both sizes, length of the name, no extras.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(dosDate, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("504b0304", "hex"), common, name, content]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("504b01021400", "hex"), common, place, name]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("504b0506", "hex");
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
