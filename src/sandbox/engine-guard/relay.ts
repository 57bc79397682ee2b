import { request, type IncomingMessage, type RequestOptions, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";

/** A call to the engine, composed by us alone. */
export interface EngineRequest {
  readonly method: string;
  readonly target: string;
  /** JSON text. */
  readonly body?: string;
}

export interface EngineAnswer {
  readonly status: number;
  readonly text: string;
}

/** The engine could not be reached: nothing was sent. */
export class EngineUnreachable extends Error {
  override readonly name = "EngineUnreachable";
}

const unreachable = ["ENOENT", "ECONNREFUSED", "EACCES", "ENOTSOCK", "EAGAIN"];

function describeRequest(
  socketPath: string,
  call: EngineRequest,
  signal: AbortSignal,
  more: Readonly<Record<string, string>> = {},
): RequestOptions {
  const type = call.body === undefined ? {} : { "content-type": "application/json" };
  return {
    socketPath,
    method: call.method,
    path: call.target,
    signal,
    agent: false,
    headers: { host: "engine", "content-length": Buffer.byteLength(call.body ?? ""), ...type, ...more },
  };
}

function explain(error: NodeJS.ErrnoException): Error {
  if (error.syscall !== "connect" || !unreachable.includes(error.code ?? "")) return error;
  return new EngineUnreachable(`the container engine does not answer (${error.code})`, { cause: error });
}

/** Sends a call and hands over the answer with its body still to be read. Throws EngineUnreachable, or the connection's error. */
export function callEngine(socketPath: string, call: EngineRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request(describeRequest(socketPath, call, signal), resolve);
  outgoing.on("error", (error) => reject(explain(error)));
  outgoing.end(call.body);
  return promise;
}

/** Passes an answer on as it comes. A connection that breaks in the middle breaks on the other side too. */
export function relayAnswer(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const type = answer.headers["content-type"];
  response.writeHead(answer.statusCode ?? 502, type === undefined ? {} : { "content-type": type });
  // An attached stream and a wait are answered long before their first byte.
  response.flushHeaders();
  return new Promise((resolve) => {
    pipeline(answer, response, (error) => {
      if (error) response.destroy();
      resolve();
    });
  });
}

/**
 * An attach that turns the connection into a two-way stream. Answers when it has ended, or what the engine said
 * instead.
 */
export function relayUpgrade(
  socketPath: string,
  call: EngineRequest,
  near: Duplex,
  signal: AbortSignal,
): Promise<EngineAnswer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<EngineAnswer | undefined>();
  const outgoing = request(describeRequest(socketPath, call, signal, { connection: "Upgrade", upgrade: "tcp" }));
  outgoing.on("error", (error) => reject(explain(error)));
  outgoing.on("upgrade", (answer, far, first: Buffer) => {
    const type = answer.headers["content-type"] ?? "application/vnd.docker.raw-stream";
    near.write(`HTTP/1.1 101 UPGRADED\r\nContent-Type: ${type}\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n`);
    near.write(first);
    // Each direction ends by itself: the end of what a command is fed is not the end of what it says.
    pipeline(near, far, (error) => {
      if (error) far.destroy();
    });
    pipeline(far, near, (error) => {
      if (error) near.destroy();
      resolve(undefined);
    });
  });
  outgoing.on("response", (answer) => {
    readText(answer).then((text) => resolve({ status: answer.statusCode ?? 502, text }), reject);
  });
  outgoing.end();
  return promise;
}

/** A small answer as a whole. Throws when it is longer than 4 MiB or breaks off. */
export async function readText(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > 4 * 1024 * 1024) throw new RangeError("the engine's answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
