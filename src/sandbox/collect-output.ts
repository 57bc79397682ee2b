import { StringDecoder } from "node:string_decoder";
import type { SandboxCommand } from "./types.ts";

const headerBytes = 8;

/** The two output streams of a container, taken apart and capped. */
export interface OutputCollector {
  /** Takes the next piece of the engine's stream, cut anywhere. */
  write(piece: Buffer): void;
  /** True as soon as one stream has reached the cap. */
  readonly overflowed: boolean;
  stdout(): string;
  stderr(): string;
}

/**
 * Reads the engine's multiplexed stream (Tty off): 8 bytes of header (stream number, three zeros, big-endian length), then
 * that many bytes. dockerode's own demuxer never ends its outputs and knows no cap. Bytes are decoded once at the end, so
 * a character that was cut between two frames stays whole; what is no UTF-8 becomes U+FFFD.
 */
export function createOutputCollector(limitBytes: number, onOutput?: SandboxCommand["onOutput"]): OutputCollector {
  const streams = {
    stdout: { pieces: [] as Buffer[], bytes: 0, decoder: new StringDecoder("utf8") },
    stderr: { pieces: [] as Buffer[], bytes: 0, decoder: new StringDecoder("utf8") },
  };
  let header = Buffer.alloc(0);
  let current: "stdout" | "stderr" = "stdout";
  let bytesLeft = 0;
  let overflowed = false;

  function keep(piece: Buffer): void {
    const stream = streams[current];
    const kept = piece.subarray(0, limitBytes - stream.bytes);
    if (kept.length < piece.length) overflowed = true;
    if (kept.length === 0) return;
    stream.pieces.push(kept);
    stream.bytes += kept.length;
    const text = onOutput === undefined ? "" : stream.decoder.write(kept);
    if (text !== "") onOutput?.({ stream: current, text });
  }

  function write(piece: Buffer): void {
    let rest = piece;
    while (rest.length > 0) {
      if (bytesLeft === 0) {
        const needed = headerBytes - header.length;
        header = Buffer.concat([header, rest.subarray(0, needed)]);
        rest = rest.subarray(needed);
        if (header.length < headerBytes) return;
        current = header[0] === 2 ? "stderr" : "stdout";
        bytesLeft = header.readUInt32BE(4);
        header = Buffer.alloc(0);
      } else {
        const part = rest.subarray(0, bytesLeft);
        bytesLeft -= part.length;
        rest = rest.subarray(part.length);
        keep(part);
      }
    }
  }

  return {
    write,
    get overflowed() {
      return overflowed;
    },
    stdout: () => Buffer.concat(streams.stdout.pieces).toString("utf8"),
    stderr: () => Buffer.concat(streams.stderr.pieces).toString("utf8"),
  };
}
