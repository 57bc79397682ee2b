import { bodyLimits, headerBytes, parseFrame } from "./frames.ts";
import type { RunnerFrame } from "./frames.ts";

/** Takes a stream in pieces of any size and returns what is complete. Undefined once the stream is malformed. */
export type PieceReader<Thing> = (piece: Buffer) => readonly Thing[] | undefined;

/** Cuts a stream into header + body. `measure` returns the length of the body that a header announces, undefined if it is malformed. */
function createPieceReader<Thing>(
  size: number,
  measure: (header: Buffer) => number | undefined,
  make: (header: Buffer, body: Buffer) => Thing | undefined,
): PieceReader<Thing> {
  let rest: Buffer = Buffer.alloc(0);
  let broken = false;
  return (piece) => {
    if (broken) return undefined;
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const things: Thing[] = [];
    while (rest.length >= size) {
      const header = rest.subarray(0, size);
      const length = measure(header);
      if (length !== undefined && rest.length < size + length) break;
      const thing = length === undefined ? undefined : make(header, rest.subarray(size, size + length));
      if (thing === undefined || length === undefined) {
        broken = true;
        return undefined;
      }
      things.push(thing);
      rest = rest.subarray(size + length);
    }
    return things;
  };
}

export function createFrameReader(): PieceReader<RunnerFrame> {
  return createPieceReader(
    headerBytes,
    (header) => {
      const length = header.readUInt32BE(0);
      return length > bodyLimits.fromRunner ? undefined : length;
    },
    (header, body) => parseFrame(header.readUInt8(4), header.readUInt32BE(5), body),
  );
}

export interface AttachPiece {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Buffer;
}

/** The engine copies at most 32 KiB at once; far more than that is no stream of an engine. */
const maxPieceSize = 1024 * 1024;

/**
 * The engine's attach stream (Tty off): 8 bytes of header (stream, three zeros, length), then that many bytes. Not dockerode's
 * demuxStream, which never ends its outputs.
 */
export function createAttachReader(): PieceReader<AttachPiece> {
  return createPieceReader(
    8,
    (header) => {
      const length = header.readUInt32BE(4);
      return header.readUInt32BE(0) % 0x1000000 !== 0 || header.readUInt8(0) > 2 || length > maxPieceSize
        ? undefined
        : length;
    },
    (header, bytes) => ({ stream: header.readUInt8(0) === 2 ? "stderr" : "stdout", bytes }),
  );
}
