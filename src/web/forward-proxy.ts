import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Transform, pipeline, type Duplex } from "node:stream";
import { describeError } from "../core/errors.ts";
import { failureHeader, forwardRequest, type Passage } from "./forward-request.ts";
import { RefusedByGuard, type GuardedDial } from "./guarded-dial.ts";
import { readAddress, readAuthority, type ForwardTarget, type WantedTarget } from "./read-target.ts";
import type { TrafficMeter } from "./traffic-meter.ts";

/** A request or tunnel that has ended. */
export interface ForwardRecord {
  /** `host:port`, or what is wrong in brackets. */
  readonly shown: string;
  readonly verdict: Parameters<Passage["end"]>[0];
  readonly reason?: string;
  /** Bytes. */
  readonly sent: number;
  readonly received: number;
}

/** An HTTP proxy (absolute addresses and CONNECT) for one client. */
export interface ForwardProxy {
  /** Not listening yet: the owner says where. */
  readonly server: Server;
  /** Ends every connection, and resolves when the server has stopped. */
  close(): Promise<void>;
}

const connectMs = 10_000;
const exhausted = "the connections or bytes are used up";

type Refusal = { readonly status: 403 | 429 | 502; readonly reason: string };
type Opened =
  | { readonly kind: "open"; readonly socket: Socket; readonly passage: Passage }
  | ({ readonly kind: "refused" } & Refusal);

/**
 * The only way out for a container or a browser. It resolves the names, and dials through the guard alone. A target
 * that `allow` refuses is neither looked up nor connected to.
 */
export function createForwardProxy(parts: {
  readonly dial: GuardedDial;
  /** Why this target may not be reached; undefined when it may. */
  readonly allow: (target: ForwardTarget) => string | undefined;
  /** Everything is broken off once it is used up. */
  readonly meter: TrafficMeter;
  readonly record: (entry: ForwardRecord) => void;
  readonly connectionsAtOnce: number;
  readonly idleMs: number;
}): ForwardProxy {
  const { dial, allow, meter, record } = parts;
  const over = new AbortController();
  const sockets = new Set<Socket>();
  const server = createServer({ maxHeaderSize: 32 * 1024, headersTimeout: 10_000, requestTimeout: 0 });
  server.maxConnections = parts.connectionsAtOnce;

  function breakOff(): void {
    over.abort();
    for (const socket of sockets) socket.destroy();
  }

  function keep(socket: Socket): void {
    sockets.add(socket);
    // Without a listener an error would end the process; readers and writers hear of it as well.
    socket.on("error", () => socket.destroy());
    socket.setTimeout(parts.idleMs, () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  }

  function begin(shown: string): Passage {
    const moved = { sent: 0, received: 0 };
    let hasEnded = false;
    return {
      meter: (direction) =>
        new Transform({
          transform(piece: Buffer, _, done) {
            moved[direction] += piece.length;
            if (meter.count(piece.length)) return done(null, piece);
            breakOff();
            done(new Error(exhausted));
          },
        }),
      end(verdict, reason) {
        if (hasEnded) return;
        hasEnded = true;
        record({ shown, verdict, ...(reason !== undefined && { reason }), ...moved });
      },
    };
  }

  async function open(wanted: WantedTarget): Promise<Opened> {
    if (!meter.begin()) return { kind: "refused", status: 429, reason: exhausted };
    const passage = begin(wanted.shown);
    const refuse = (status: Refusal["status"], reason: string): Opened => {
      passage.end(status === 502 ? "failed" : "refused", reason);
      return { kind: "refused", status, reason: `${wanted.shown}: ${reason}` };
    };
    if (wanted.kind === "refused") return refuse(403, wanted.reason);
    const refusal = allow(wanted.target);
    if (refusal !== undefined) return refuse(403, refusal);
    const { host, port } = wanted.target;
    try {
      const socket = await dial(host, port, AbortSignal.any([over.signal, AbortSignal.timeout(connectMs)]));
      keep(socket);
      if (over.signal.aborted) socket.destroy();
      return { kind: "open", socket, passage };
    } catch (error) {
      return refuse(error instanceof RefusedByGuard ? 403 : 502, describeError(error));
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wanted = readAddress(request.url ?? "");
    const opened = await open(wanted);
    if (opened.kind === "open" && wanted.kind === "target") {
      forwardRequest({ request, response, wanted, socket: opened.socket, passage: opened.passage });
      return;
    }
    const { status, reason } = opened.kind === "refused" ? opened : ({ status: 403, reason: wanted.shown } as const);
    request.resume();
    response.writeHead(status, { ...describeAnswer(status), connection: "close" });
    response.end(`kurisu: ${reason}\n`);
  }

  async function tunnel(request: IncomingMessage, near: Duplex, head: Buffer): Promise<void> {
    const opened = await open(readAuthority(request.url ?? ""));
    if (opened.kind === "refused") {
      const body = `kurisu: ${opened.reason}\n`;
      const headers = {
        ...describeAnswer(opened.status),
        "content-length": Buffer.byteLength(body),
        connection: "close",
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      near.end(`HTTP/1.1 ${opened.status} Refused\r\n${lines.join("")}\r\n${body}`);
      return;
    }
    const { passage, socket: far } = opened;
    if (near.destroyed) {
      far.destroy();
      passage.end("failed", "the client hung up");
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
      if (directions === 0) passage.end("served");
    };
    // Each direction ends by itself.
    pipeline(near, passage.meter("sent"), far, close);
    pipeline(far, passage.meter("received"), near, close);
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
    async close() {
      const closed = server.listening ? once(server, "close") : undefined;
      server.close();
      breakOff();
      await closed;
    },
  };
}

/** Marks an answer of the proxy's own: a browser distinguishes it from the site's by this. */
function describeAnswer(status: Refusal["status"]): Record<string, string> {
  return {
    "content-type": "text/plain; charset=utf-8",
    [failureHeader]: status === 502 ? "failed" : "refused",
  };
}
