import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

/** The part of a file, in bytes, from which its encoding is detected. */
const sampleSize = 65_536;

/**
 * The text of a file in UTF-8, UTF-16 or GB18030. A byte-order mark decides; without one, zero bytes mean UTF-16, and the
 * first 64 KiB from the first byte that is no ASCII are UTF-8 or GB18030. How the bytes are cut into chunks makes no difference.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let waiting: Buffer = Buffer.alloc(0);
  let isStart = true;
  for await (const chunk of bytes) {
    if (decoder !== undefined) {
      yield decoder.decode(chunk, { stream: true });
      continue;
    }
    waiting = Buffer.concat([waiting, chunk]);
    if (isStart) {
      if (waiting.length < sampleSize) continue;
      decoder = findWideEncoding(waiting);
      isStart = false;
    }
    if (decoder === undefined) {
      const plain = countAscii(waiting);
      yield waiting.toString("latin1", 0, plain);
      waiting = waiting.subarray(plain);
      if (waiting.length < sampleSize) continue;
      decoder = chooseNarrowDecoder(waiting.subarray(0, sampleSize), false);
    }
    yield decoder.decode(waiting, { stream: true });
    waiting = Buffer.alloc(0);
  }
  if (decoder === undefined) {
    decoder = isStart ? findWideEncoding(waiting) : undefined;
    const plain = decoder === undefined ? countAscii(waiting) : 0;
    yield waiting.toString("latin1", 0, plain);
    const rest = waiting.subarray(plain);
    decoder ??= chooseNarrowDecoder(rest.subarray(0, sampleSize), rest.length <= sampleSize);
    yield decoder.decode(rest, { stream: true });
  }
  yield decoder.decode();
}

/** By its mark or its zero bytes; the decoders drop the mark. */
function findWideEncoding(start: Buffer): TextDecoder | undefined {
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder("utf-8");
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le");
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be");
  const sample = start.subarray(0, 1_024);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // In any language, a tenth of a chat is line ends, spaces and digits.
  if (odd * 20 > sample.length && odd > even * 4) return new TextDecoder("utf-16le");
  if (even * 20 > sample.length && even > odd * 4) return new TextDecoder("utf-16be");
  return undefined;
}

function countAscii(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at += 1;
  return at;
}

function chooseNarrowDecoder(sample: Buffer, isWhole: boolean): TextDecoder {
  // The sample may end within a character, which has four bytes at most.
  const ends = isWhole ? [0] : [0, 1, 2, 3];
  const fits = ends.some((less) => isUtf8(sample.subarray(0, Math.max(0, sample.length - less))));
  return new TextDecoder(fits ? "utf-8" : "gb18030");
}
