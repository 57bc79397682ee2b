import { request } from "node:http";
import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import { callLimits } from "./container-calls.ts";

/** The engine's place, as the library knows it. */
interface Address {
  readonly host?: string;
  readonly port?: number;
  getSocketPath(): Promise<string> | undefined;
}

/**
 * The three streams of a container as one, both ways. Not by the library: it sends its options along as a body, which
 * Podman takes for the beginning of the standard input. Throws the engine's errors as the library does, with `statusCode`.
 */
export async function attachStream(docker: Docker, id: string): Promise<Duplex> {
  const modem = docker.modem as unknown as Address;
  const { host, port } = modem;
  const socketPath = await modem.getSocketPath();
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const outgoing = request({
    ...(host === undefined ? { socketPath: socketPath ?? "" } : { host, port }),
    method: "POST",
    path: `/containers/${id}/attach?stream=true&stdin=true&stdout=true&stderr=true&hijack=true`,
    headers: { connection: "Upgrade", upgrade: "tcp", "content-length": "0" },
    agent: false,
    timeout: callLimits.call,
  });
  outgoing.on("upgrade", (_, stream, first: Buffer) => {
    stream.setTimeout(0);
    if (first.length > 0) stream.unshift(first);
    resolve(stream);
  });
  outgoing.on("response", (answer) => {
    const pieces: Buffer[] = [];
    answer.on("data", (piece: Buffer) => pieces.push(piece));
    answer.on("close", () => {
      const text = Buffer.concat(pieces).toString("utf8").trim();
      const error = new Error(`(HTTP code ${answer.statusCode}) attach refused - ${text}`);
      reject(Object.assign(error, { statusCode: answer.statusCode }));
    });
  });
  outgoing.on("timeout", () => outgoing.destroy(new DOMException("the engine does not answer", "TimeoutError")));
  outgoing.on("error", reject);
  outgoing.end();
  return promise;
}
