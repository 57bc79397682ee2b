import { duplexPair } from "node:stream";
import type { Duplex } from "node:stream";

/** The far end of an attach stream, in the hands of a test: it can say what no real runner would. */
export interface ScriptedRunner {
  /** For the client. */
  readonly stream: Duplex;
  /** A frame of the runner, in the engine's wrapping. */
  send(type: number, run: number, body?: Uint8Array | string): void;
  hello(version?: number): void;
  /** Bytes as they are, on standard error or without any wrapping. */
  complain(text: string): void;
  sendRaw(bytes: Uint8Array): void;
  end(): void;
  break(error: Error): void;
  /** Types of the frames that the client has sent so far. */
  readonly received: number[];
}

export function createScriptedRunner(): ScriptedRunner {
  const [stream, far] = duplexPair();
  const received: number[] = [];
  let rest = Buffer.alloc(0);
  far.on("data", (piece: Buffer) => {
    rest = Buffer.concat([rest, piece]);
    while (rest.length >= 9 && rest.length >= 9 + rest.readUInt32BE(0)) {
      received.push(rest.readUInt8(4));
      rest = rest.subarray(9 + rest.readUInt32BE(0));
    }
  });
  const wrap = (name: number, bytes: Uint8Array): void => {
    const header = Buffer.alloc(8);
    header.writeUInt8(name, 0);
    header.writeUInt32BE(bytes.length, 4);
    if (!far.destroyed) far.write(Buffer.concat([header, bytes]));
  };
  const send: ScriptedRunner["send"] = (type, run, body = "") => {
    const bytes = Buffer.from(body);
    const header = Buffer.alloc(9);
    header.writeUInt32BE(bytes.length, 0);
    header.writeUInt8(type, 4);
    header.writeUInt32BE(run, 5);
    wrap(1, Buffer.concat([header, bytes]));
  };
  return {
    stream,
    send,
    hello: (version = 1) => send(129, 0, `kurisu-runner\0\0${String.fromCodePoint(version)}\0\x01\0\0`),
    complain: (text) => wrap(2, Buffer.from(text)),
    sendRaw: (bytes) => far.write(bytes),
    end: () => far.end(),
    break: (error) => stream.destroy(error),
    received,
  };
}
