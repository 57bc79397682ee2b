import { request as sendRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline, type Transform } from "node:stream";
import { describeError } from "../core/errors.ts";
import type { WantedTarget } from "./read-target.ts";

/** A request or tunnel through the proxy, while it lasts. */
export interface Passage {
  meter(direction: "sent" | "received"): Transform;
  /** Only the first end counts. */
  end(verdict: "served" | "refused" | "failed", reason?: string): void;
}

/** Marks an answer of the proxy itself; no site can send it. */
export const failureHeader = "x-kurisu-proxy";

/** Headers that are for one connection only (RFC 9110, section 7.6.1), and what older clients send to proxies. */
const hopHeaders: readonly string[] = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
];

/**
 * A plain request over a connection that leads to its host. Host is the address's own, whatever the client wrote, so a
 * permitted address cannot carry another host's name; nothing that would reveal a proxy is added.
 */
export function forwardRequest(parts: {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly wanted: Extract<WantedTarget, { kind: "target" }>;
  readonly socket: Socket;
  readonly passage: Passage;
}): void {
  const { request, response, wanted, socket, passage } = parts;
  const isChunked = request.headers["transfer-encoding"] !== undefined;
  const outgoing = sendRequest({
    createConnection: () => socket,
    method: request.method,
    path: wanted.path,
    headers: [
      "Host",
      wanted.shown.replace(/:80$/, ""),
      ...keepHeaders(request, ["host"]),
      // Framed as it came: a body that is not announced would be read as the next request.
      ...(isChunked ? ["Transfer-Encoding", "chunked"] : []),
    ],
  });
  const fail = (reason: string): void => {
    passage.end("failed", reason);
    socket.destroy();
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(502, { [failureHeader]: "failed", connection: "close" })
        .end(`kurisu: ${wanted.shown}: ${reason}\n`);
  };
  let isAnswered = false;
  outgoing.on("error", (error) => fail(error.message));
  // On a change of protocol Node closes the request without an error.
  outgoing.on("close", () => {
    if (!isAnswered) fail("the host gave no answer");
  });
  outgoing.on("response", (answer) => {
    isAnswered = true;
    try {
      // Throws at what a parser takes and a server may not send, such as status 000.
      response.writeHead(answer.statusCode ?? 0, keepHeaders(answer, [failureHeader]));
      response.flushHeaders();
    } catch (error) {
      fail(`the answer is no HTTP (${describeError(error)})`);
      return;
    }
    pipeline(answer, passage.meter("received"), response, (error) => {
      if (error) fail(error.message);
      else passage.end("served");
      socket.destroy();
    });
  });
  response.once("close", () => outgoing.destroy());
  pipeline(request, passage.meter("sent"), outgoing, (error) => {
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
