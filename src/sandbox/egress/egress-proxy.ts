import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Transform, pipeline, type Duplex } from "node:stream";
import { describeError } from "../../core/errors.ts";
import { RefusedByGuard, type GuardedDial } from "../../web/guarded-dial.ts";
import type { EgressEntry, EgressLimits, EgressRecord } from "./egress-record.ts";
import { forwardRequest } from "./forward-request.ts";
import { allowsTarget } from "./network-host.ts";
import { readAddress, readAuthority, type WantedTarget } from "./read-target.ts";

/** A proxy of HTTP (absolute addresses and CONNECT) for one command and its list of hosts. */
export interface EgressProxy {
  readonly server: Server;
  /** Breaks everything off. */
  destroy(): void;
}

const connectionsAtOnce = 48;
const connectMs = 10_000;
const exhausted = "this command has used up its connections or bytes";

type Refusal = { readonly status: 400 | 403 | 429 | 502; readonly reason: string };
type Opened =
  | { readonly kind: "open"; readonly socket: Socket; readonly entry: EgressEntry }
  | ({ readonly kind: "refused" } & Refusal);

/** The only way out of a container. What is not on the list is neither looked up nor connected to. */
export function createEgressProxy(parts: {
  readonly hosts: readonly string[];
  readonly dial: GuardedDial;
  readonly limits: EgressLimits;
  readonly record: EgressRecord;
}): EgressProxy {
  const { hosts, limits, record } = parts;
  const over = new AbortController();
  const sockets = new Set<Socket>();
  const server = createServer({ maxHeaderSize: 32 * 1024, headersTimeout: 10_000, requestTimeout: 0 });
  server.maxConnections = connectionsAtOnce;

  function keep(socket: Socket): void {
    sockets.add(socket);
    // Whoever reads or writes hears of it as well; without a listener it would end the process.
    socket.on("error", () => socket.destroy());
    socket.setTimeout(limits.idleMs, () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  }

  async function open(wanted: WantedTarget): Promise<Opened> {
    const entry = record.begin(wanted.shown);
    if (entry === undefined) return { kind: "refused", status: 429, reason: exhausted };
    const refuse = (status: Refusal["status"], reason: string): Opened => {
      entry.end(status === 502 ? "failed" : "refused", reason);
      return { kind: "refused", status, reason: `${wanted.shown}: ${reason}` };
    };
    if (wanted.kind === "refused") return refuse(403, wanted.reason);
    if (!allowsTarget(hosts, wanted.target)) return refuse(403, `not one of the approved hosts (${hosts.join(", ")})`);
    const { host, port } = wanted.target;
    try {
      const socket = await parts.dial(host, port, AbortSignal.any([over.signal, AbortSignal.timeout(connectMs)]));
      keep(socket);
      if (over.signal.aborted) socket.destroy();
      return { kind: "open", socket, entry };
    } catch (error) {
      return refuse(error instanceof RefusedByGuard ? 403 : 502, describeError(error));
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wanted = readAddress(request.url ?? "");
    const opened = await open(wanted);
    if (opened.kind === "refused" || wanted.kind !== "host") {
      const { status, reason } = opened.kind === "refused" ? opened : { status: 400, reason: "malformed" };
      request.resume();
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
      response.end(`kurisu: ${reason}\n`);
      return;
    }
    const { entry, socket } = opened;
    forwardRequest({ request, response, wanted, socket, meter: (direction) => createMeter(entry, direction), entry });
  }

  async function tunnel(request: IncomingMessage, near: Duplex, head: Buffer): Promise<void> {
    const opened = await open(readAuthority(request.url ?? ""));
    if (opened.kind === "refused") {
      const body = `kurisu: ${opened.reason}\n`;
      const type = `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}`;
      near.end(`HTTP/1.1 ${opened.status} Refused\r\n${type}\r\nConnection: close\r\n\r\n${body}`);
      return;
    }
    const { entry, socket: far } = opened;
    if (near.destroyed) {
      far.destroy();
      entry.end("failed", "the command hung up");
      return;
    }
    near.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) near.unshift(head);
    let directions = 2;
    const close = (error?: Error | null): void => {
      directions -= 1;
      if (error) {
        near.destroy();
        far.destroy();
      }
      if (directions === 0) entry.end("served");
    };
    // Each direction ends by itself.
    pipeline(near, createMeter(entry, "out"), far, close);
    pipeline(far, createMeter(entry, "in"), near, close);
  }

  server.on("connection", keep);
  server.on("request", (request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.on("connect", (request: IncomingMessage, near: Duplex, head: Buffer) => {
    near.on("error", () => near.destroy());
    tunnel(request, near, head).catch(() => near.destroy());
  });
  server.on("clientError", (_, near) => void near.destroy());

  return {
    server,
    destroy() {
      over.abort();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function createMeter(entry: EgressEntry, direction: "out" | "in"): Transform {
  return new Transform({
    transform(piece: Buffer, _, done) {
      if (entry.count(direction, piece.length)) done(null, piece);
      else done(new Error(exhausted));
    },
  });
}
