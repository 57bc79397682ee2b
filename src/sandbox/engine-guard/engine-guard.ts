import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { describeError } from "../../core/errors.ts";
import { answerCall, answerUpgrade, type GuardParts, type Refusal } from "./answer-call.ts";
import { listenOnSocket } from "./listen-on-socket.ts";

/** A socket through which only what our sandbox does can be asked of the container engine. */
export interface EngineGuard {
  start(): Promise<void>;
  /** Ends every connection and removes the socket file. */
  stop(): Promise<void>;
}

/**
 * Stands between the gateway and the engine's socket, in a process of its own: an attacker in the gateway can then
 * start the sandbox's containers and nothing else
 * (docs/decisions/approval-and-safety.md#a-guard-process-filters-the-gateways-requests-to-the-container-engine).
 */
export function createEngineGuard(
  parts: GuardParts & {
    /** Where the socket will be; a file that a dead guard left there is replaced. */
    readonly listen: string;
    readonly log: Pick<Logger, "info" | "warn">;
  },
): EngineGuard {
  const { log } = parts;
  const upgraded = new Set<Duplex>();
  const used = new WeakSet<Duplex>();
  const server: Server = createServer({ maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 30_000 });

  function note(request: IncomingMessage, { status, reason }: Refusal): string {
    log.warn({ method: request.method, url: request.url?.slice(0, 200), status, reason }, "a call was not passed on");
    return JSON.stringify({ message: `engine-guard: ${reason}` });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    response.setHeader("connection", "close");
    try {
      const refusal = await answerCall(parts, request, response, gone.signal);
      if (refusal === undefined) return;
      const body = note(request, refusal);
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      response.writeHead(refusal.status, headers).end(body);
    } catch (error) {
      if (!gone.signal.aborted) log.warn({ reason: describeError(error), url: request.url }, "the engine broke off");
      response.destroy();
    }
  }

  async function serveUpgrade(request: IncomingMessage, near: Duplex, head: Buffer): Promise<void> {
    const gone = new AbortController();
    upgraded.add(near);
    near.once("close", () => {
      upgraded.delete(near);
      gone.abort();
    });
    near.on("error", (error) => log.info({ reason: error.message }, "a client broke off"));
    try {
      const refusal = await answerUpgrade(parts, request, near, head, gone.signal);
      if (refusal === undefined) return;
      const body = note(request, refusal);
      const lines = [
        "Content-Type: application/json",
        `Content-Length: ${Buffer.byteLength(body)}`,
        "Connection: close",
      ];
      near.end(`HTTP/1.1 ${refusal.status} Refused\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
    } catch (error) {
      if (!gone.signal.aborted) log.warn({ reason: describeError(error), url: request.url }, "the engine broke off");
      near.destroy();
    }
  }

  // A single call per connection: what follows it in the same bytes is not taken as a second one.
  server.on("request", (request, response) => {
    if (used.has(request.socket)) return;
    used.add(request.socket);
    void serve(request, response);
  });
  server.on("upgrade", (request: IncomingMessage, near: Duplex, head: Buffer) => {
    if (used.has(near)) return;
    used.add(near);
    void serveUpgrade(request, near, head);
  });

  return {
    start: () => listenOnSocket(server, parts.listen),
    async stop() {
      for (const near of upgraded) near.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
