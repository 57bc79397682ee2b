import { request as sendRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline, type Transform } from "node:stream";
import { describeError } from "../../core/errors.ts";
import { hopHeaders } from "../../web/hop-headers.ts";
import type { EgressEntry } from "./egress-record.ts";
import type { WantedTarget } from "./read-target.ts";

/**
 * A plain request over a connection that leads to its host. Host is the address's own, whatever the client wrote, so a
 * permitted address cannot carry another host's name; nothing that would tell of a proxy is added.
 */
export function forwardRequest(parts: {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly wanted: Extract<WantedTarget, { kind: "host" }>;
  readonly socket: Socket;
  readonly meter: (direction: "out" | "in") => Transform;
  readonly entry: EgressEntry;
}): void {
  const { request, response, wanted, socket, meter, entry } = parts;
  const { host, port } = wanted.target;
  const isChunked = request.headers["transfer-encoding"] !== undefined;
  const outgoing = sendRequest({
    createConnection: () => socket,
    method: request.method,
    path: wanted.path,
    headers: [
      "Host",
      port === 80 ? host : `${host}:${port}`,
      ...keepHeaders(request, ["host"]),
      // Framed as it came: a body that is not announced would be read as the next request.
      ...(isChunked ? ["Transfer-Encoding", "chunked"] : []),
    ],
  });
  const fail = (reason: string): void => {
    entry.end("failed", reason);
    socket.destroy();
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { connection: "close" }).end(`kurisu: ${wanted.shown}: ${reason}\n`);
  };
  let isAnswered = false;
  outgoing.on("error", (error) => fail(error.message));
  // A change of protocol is closed without a word.
  outgoing.on("close", () => {
    if (!isAnswered) fail("the host gave no answer");
  });
  outgoing.on("response", (answer) => {
    isAnswered = true;
    try {
      // Throws at what a parser takes and a server may not send, such as status 000.
      response.writeHead(answer.statusCode ?? 0, keepHeaders(answer, []));
    } catch (error) {
      fail(`the answer is no HTTP (${describeError(error)})`);
      return;
    }
    pipeline(answer, meter("in"), response, (error) => {
      if (error) fail(error.message);
      else entry.end("served");
      socket.destroy();
    });
  });
  response.once("close", () => outgoing.destroy());
  pipeline(request, meter("out"), outgoing, (error) => {
    if (error) fail(error.message);
  });
}

/** Names and values in turns, as they were sent, without what is meant for the next hop only. */
function keepHeaders(message: IncomingMessage, more: readonly string[]): string[] {
  const named = (message.headers.connection ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const dropped = new Set([...hopHeaders, ...named, ...more]);
  const { rawHeaders } = message;
  return rawHeaders.filter((_, index) => !dropped.has((rawHeaders[index - (index % 2)] ?? "").toLowerCase()));
}
