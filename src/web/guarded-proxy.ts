import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { pipeline, Transform, type Duplex } from "node:stream";
import { describeError } from "../core/errors.ts";
import { checkUrl, hostOf, portOf } from "./check-url.ts";
import { createGuardedDial, RefusedByGuard } from "./guarded-dial.ts";
import type { LookupOptions } from "./guarded-lookup.ts";
import { hopHeaders } from "./hop-headers.ts";

export interface GuardedProxy {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Hosts that were asked for and refused, each once. */
  readonly refused: () => readonly string[];
  readonly close: () => Promise<void>;
}

interface ProxyOptions extends LookupOptions {
  /** Bytes that may come in through it before it goes dumb. */
  readonly maxBytes: number;
  readonly maxConnections?: number;
}

/** Marks an answer of the proxy itself; the body says what is wrong. */
export const failureHeader = "x-kurisu-proxy";

/**
 * A forward proxy on this machine for one run of a browser: everything the browser wants goes through the same dial as
 * all else, and so to public addresses only. It resolves the names; the browser is told to resolve none.
 */
export async function openGuardedProxy({
  maxBytes,
  maxConnections = 200,
  ...lookup
}: ProxyOptions): Promise<GuardedProxy> {
  const dial = createGuardedDial(lookup);
  const anyPort = lookup.allowAddress !== undefined;
  const refused = new Set<string>();
  const open = new Set<Duplex>();
  const closing = new AbortController();
  let received = 0;

  const server = createServer((incoming, response) => {
    forward(incoming, response).catch((error: unknown) => refuse(response, incoming.url ?? "", error));
  });
  server.on("connect", (incoming: IncomingMessage, client: Duplex) => {
    keep(client);
    tunnel(incoming.url ?? "", client).catch((error: unknown) => {
      noteRefusal(incoming.url ?? "", error);
      client.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    });
  });
  server.on("connection", keep);
  server.on("clientError", (_error, socket) => socket.destroy());
  server.maxConnections = maxConnections;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    refused: () => [...refused],
    async close() {
      closing.abort(new Error("the proxy is closed"));
      server.close();
      for (const socket of open) socket.destroy();
      if (server.listening) await once(server, "close");
    },
  };

  function keep(socket: Duplex): void {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => open.delete(socket));
  }

  async function reach(host: string, port: number): Promise<Socket> {
    if (received > maxBytes) throw new RefusedByGuard("the page loads too much");
    const socket = await dial(host, port, closing.signal);
    keep(socket);
    return socket;
  }

  function countBytes(): Transform {
    return new Transform({
      transform(part: Buffer, _encoding, done) {
        received += part.length;
        done(received > maxBytes ? new Error("the page loads too much") : null, part);
      },
    });
  }

  async function tunnel(target: string, client: Duplex): Promise<void> {
    // A scheme makes it an address; which one does not matter but for the port, which CONNECT always names.
    const url = URL.parse(`https://${target}`);
    if (url === null || url.pathname !== "/" || !/:\d+$/.test(target)) throw new RefusedByGuard("no host and port");
    const upstream = await reach(hostOf(url), portOf(url));
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    pipeline(client, upstream, ignore);
    pipeline(upstream, countBytes(), client, ignore);
  }

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const checked = checkUrl(incoming.url ?? "", { anyPort });
    if (!checked.ok) throw new RefusedByGuard(checked.reason);
    const { url } = checked;
    if (url.protocol !== "http:") throw new RefusedByGuard("only CONNECT leads to https");
    const socket = await reach(hostOf(url), portOf(url));
    const headers = Object.fromEntries(
      Object.entries(incoming.headersDistinct).filter(([name]) => !hopHeaders.includes(name)),
    );
    const outgoing = request({
      method: incoming.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, connection: "close" },
      createConnection: () => socket,
    });
    pipeline(incoming, outgoing, ignore);
    const gone = new AbortController();
    // An upgrade nobody asked for is closed without a word.
    outgoing.once("close", () => gone.abort(new Error("the site gave no answer")));
    const [answer] = (await once(outgoing, "response", { signal: gone.signal })) as [IncomingMessage];
    const answered = Object.entries(answer.headersDistinct).filter(
      ([name]) => !hopHeaders.includes(name) && name !== failureHeader,
    );
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(answered));
    pipeline(answer, countBytes(), response, ignore);
  }

  function refuse(response: ServerResponse, target: string, error: unknown): void {
    noteRefusal(target, error);
    if (response.headersSent) return void response.destroy();
    const refusal = error instanceof RefusedByGuard;
    response.writeHead(refusal ? 403 : 502, {
      "content-type": "text/plain",
      [failureHeader]: refusal ? "refused" : "failed",
    });
    response.end(describeError(error));
  }

  function noteRefusal(target: string, error: unknown): void {
    const url = URL.parse(target.includes("://") ? target : `https://${target}`);
    if (error instanceof RefusedByGuard && refused.size < 20) refused.add(url?.host ?? "an address that is none");
  }
}

/** A connection that ends early is the page's business; both ends are destroyed by then. */
function ignore(): void {
  // Nobody is left to be told.
}
