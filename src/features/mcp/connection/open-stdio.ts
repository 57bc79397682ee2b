import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { JSONRPCMessageSchema, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { mendMessage } from "./mend-message.ts";
import type { OpenedTransport } from "./open-connection.ts";
import { maxMessageLength, type ServerStreams } from "./types.ts";

/** A transport over the standard streams of a server that was started. */
export function openStdio(streams: ServerStreams): OpenedTransport {
  const transport = new StreamTransport(streams);
  return {
    transport,
    classify: () => undefined,
    ended: streams.ended.then((how) => transport.reason ?? how),
    close: () => transport.close(),
  };
}

/**
 * One JSON-RPC message per line. The SDK's own transport does not fit: it starts its process by itself, with our
 * environment, and ends only the process and not its children; and it cannot speak to a container.
 */
class StreamTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #streams: ServerStreams;
  #pieces: Buffer[] = [];
  #length = 0;
  #closed = false;
  /** Why we ended it ourselves. */
  #reason: string | undefined;

  constructor(streams: ServerStreams) {
    this.#streams = streams;
  }

  /** Why the transport itself ended the connection. */
  get reason(): string | undefined {
    return this.#reason;
  }

  async start(): Promise<void> {
    const { input, output, ended } = this.#streams;
    output.on("data", (piece: Buffer) => this.#read(piece));
    output.on("error", (error: Error) => this.onerror?.(error));
    // A broken pipe: `ended` reports that the server is gone.
    input.on("error", (error: Error) => this.onerror?.(error));
    void ended.then(() => this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { input } = this.#streams;
    if (this.#closed || !input.writable) throw new Error("the server is gone");
    // Not waiting for the pipe to drain: a server that does not read is found by the time limit of its call.
    input.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    await this.#streams.close();
    this.#end();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pieces = [];
    this.onclose?.();
  }

  #read(piece: Buffer): void {
    let rest = piece;
    while (!this.#closed && this.#reason === undefined) {
      const end = rest.indexOf(10);
      const part = end === -1 ? rest : rest.subarray(0, end);
      this.#length += part.length;
      if (this.#length > maxMessageLength) return this.#giveUp(`it sent a line of more than ${maxMessageLength} bytes`);
      if (part.length > 0) this.#pieces.push(part);
      if (end === -1) return;
      const line = Buffer.concat(this.#pieces).toString("utf8").trimEnd();
      this.#pieces = [];
      this.#length = 0;
      if (line !== "") this.#take(line);
      rest = rest.subarray(end + 1);
    }
  }

  #take(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = JSONRPCMessageSchema.parse(mendMessage(JSON.parse(line)));
    } catch {
      this.onerror?.(new Error(`a line that is no message: ${line.slice(0, 100)}`));
      return;
    }
    this.onmessage?.(message);
  }

  #giveUp(reason: string): void {
    this.#reason = reason;
    this.#pieces = [];
    this.onerror?.(new Error(reason));
    this.close().catch((error: Error) => this.onerror?.(error));
  }
}
