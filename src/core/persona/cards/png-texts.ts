import { crc32, deflateSync } from "node:zlib";

/** The tEXt chunks of a PNG or APNG (W3C PNG, third edition, 5.3 and 11.3.3): keyword, zero, Latin-1 text. */

const signature = Buffer.from("89504e470d0a1a0a", "hex");

export const isPng = (bytes: Uint8Array): boolean => signature.equals(bytes.subarray(0, signature.length));

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** With length and checksum. */
  readonly whole: Buffer;
}

type Texts =
  | { readonly kind: "texts"; readonly texts: ReadonlyMap<string, string> }
  | { readonly kind: "refused"; readonly problem: string };

/** Texts by keyword in small letters, of each the first. Checksums of the text chunks must be right. */
export function readPngTexts(png: Buffer): Texts {
  const texts = new Map<string, string>();
  const chunks = cutChunks(png);
  if (chunks === undefined) return { kind: "refused", problem: "is a damaged PNG: a chunk is longer than the file" };
  for (const { type, data, whole } of chunks) {
    if (type !== "tEXt") continue;
    if (crc32(whole.subarray(4, -4)) !== whole.readUInt32BE(whole.length - 4))
      return { kind: "refused", problem: "is a damaged PNG: the checksum of a text is wrong" };
    const zero = data.indexOf(0);
    if (zero < 1 || zero > 79) continue;
    const keyword = data.toString("latin1", 0, zero).toLowerCase();
    if (!texts.has(keyword)) texts.set(keyword, data.toString("latin1", zero + 1));
  }
  return { kind: "texts", texts };
}

/** The picture with these texts before its end, in place of those of the same keywords. undefined = it is no whole PNG. */
export function writePngTexts(png: Buffer, texts: Readonly<Record<string, string>>): Buffer | undefined {
  const chunks = cutChunks(png);
  if (chunks?.at(-1)?.type !== "IEND") return undefined;
  const kept = chunks.slice(0, -1).filter(({ type, data }) => {
    const keyword = data.toString("latin1", 0, Math.max(0, data.indexOf(0))).toLowerCase();
    return type !== "tEXt" || !(keyword in texts);
  });
  const written = Object.entries(texts).map(([keyword, text]) =>
    makeChunk("tEXt", Buffer.from(`${keyword}\0${text}`, "latin1")),
  );
  return Buffer.concat([signature, ...kept.map(({ whole }) => whole), ...written, makeChunk("IEND", Buffer.alloc(0))]);
}

/** The picture of a card that has none: 64 by 64 points of one grey. */
export function drawBlankPng(): Buffer {
  const size = 64;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits of grey a point.
  header[8] = 8;
  const points = Buffer.alloc((size + 1) * size, 0x60);
  // Each row begins with its filter, none.
  for (let row = 0; row < size; row += 1) points[row * (size + 1)] = 0;
  const chunks = [
    makeChunk("IHDR", header),
    makeChunk("IDAT", deflateSync(points)),
    makeChunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...chunks]);
}

function cutChunks(png: Buffer): readonly Chunk[] | undefined {
  const chunks: Chunk[] = [];
  let at = signature.length;
  while (at + 12 <= png.length) {
    const end = at + 12 + png.readUInt32BE(at);
    if (end > png.length) return undefined;
    const type = png.toString("latin1", at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, end - 4), whole: png.subarray(at, end) });
    if (type === "IEND") break;
    at = end;
  }
  return chunks;
}

function makeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
