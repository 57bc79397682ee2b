import { crc32, deflateSync } from "node:zlib";

/** The tEXt chunks of a PNG or APNG (W3C PNG, third edition, 5.3 and 11.3.3): keyword, zero, Latin-1 text. */

const signature = Buffer.from("89504e470d0a1a0a", "hex");

export const isPng = (bytes: Uint8Array): boolean => signature.equals(bytes.subarray(0, signature.length));

/** Where a chunk is in its file. */
interface Chunk {
  readonly type: string;
  /** From its length on. */
  readonly start: number;
  /** Behind its checksum; beyond the end of a file that was cut off. */
  readonly end: number;
}

const maxChunks = 10_000;
/** The longest keyword that the standard allows. */
const maxKeyword = 79;

/** The chunks up to IEND, one at a time. No text of theirs is copied. */
function* walkChunks(png: Buffer): Generator<Chunk> {
  let start = signature.length;
  while (start + 12 <= png.length) {
    const end = start + 12 + png.readUInt32BE(start);
    const type = png.toString("latin1", start + 4, start + 8);
    yield { type, start, end };
    if (type === "IEND") return;
    start = end;
  }
}

/** The keyword of a tEXt chunk, in small letters; "" when it has none that the standard allows. */
function readKeyword(png: Buffer, { start, end }: Chunk): string {
  const zero = png.subarray(start + 8, Math.min(end - 4, start + 9 + maxKeyword)).indexOf(0);
  return zero < 1 ? "" : png.toString("latin1", start + 8, start + 8 + zero).toLowerCase();
}

type Texts =
  | { readonly kind: "texts"; readonly texts: ReadonlyMap<string, string> }
  | { readonly kind: "refused"; readonly problem: string };

/** Texts by keyword in small letters, the first of each. Checksums of the text chunks must be right. */
export function readPngTexts(png: Buffer): Texts {
  const texts = new Map<string, string>();
  let count = 0;
  for (const chunk of walkChunks(png)) {
    const { type, start, end } = chunk;
    if (end > png.length) return refuse("is a damaged PNG: a chunk is longer than the file");
    if ((count += 1) > maxChunks) return refuse(`is a PNG of more than ${maxChunks} chunks`);
    if (type !== "tEXt") continue;
    if (crc32(png.subarray(start + 4, end - 4)) !== png.readUInt32BE(end - 4))
      return refuse("is a damaged PNG: the checksum of a text is wrong");
    const keyword = readKeyword(png, chunk);
    if (keyword !== "" && !texts.has(keyword))
      texts.set(keyword, png.toString("latin1", start + 9 + keyword.length, end - 4));
  }
  return { kind: "texts", texts };
}

const refuse = (problem: string): Texts => ({ kind: "refused", problem });

/** Whether a text of such a keyword is there, even if the rest of the file is damaged. */
export function hasPngText(png: Buffer, keywords: readonly string[]): boolean {
  let count = 0;
  for (const chunk of walkChunks(png)) {
    if ((count += 1) > maxChunks) return false;
    if (chunk.type === "tEXt" && keywords.includes(readKeyword(png, chunk))) return true;
  }
  return false;
}

/**
 * The picture with these texts before its end, in place of those of the same keywords. Undefined when it is no whole
 * PNG.
 */
export function writePngTexts(png: Buffer, texts: Readonly<Record<string, string>>): Buffer | undefined {
  const kept: Buffer[] = [];
  let isWhole = false;
  for (const chunk of walkChunks(png)) {
    const { type, start, end } = chunk;
    if (end > png.length || kept.length > maxChunks) return undefined;
    isWhole = type === "IEND";
    const isReplaced = type === "tEXt" && Object.hasOwn(texts, readKeyword(png, chunk));
    if (!isWhole && !isReplaced) kept.push(png.subarray(start, end));
  }
  if (!isWhole) return undefined;
  const written = Object.entries(texts).map(([keyword, text]) =>
    makeChunk("tEXt", Buffer.from(`${keyword}\0${text}`, "latin1")),
  );
  return Buffer.concat([signature, ...kept, ...written, makeChunk("IEND", Buffer.alloc(0))]);
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

function makeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
