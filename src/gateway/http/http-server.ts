import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Logger } from "pino";
import { AppError } from "../../core/errors.ts";
import { createReadableCode } from "../../core/ids.ts";
import { isLoopbackHost } from "./is-loopback-host.ts";
import type { HttpRoutes, UpgradeHandler } from "../../channels/http-routes.ts";

/** The one HTTP server. Other parts mount their routes on `app` before `start`. */

export interface HttpServerOptions {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** Names besides the loopback ones that requests may be addressed to, such as the webhook's behind a proxy. */
  readonly publicHosts?: readonly string[];
  readonly log: Pick<Logger, "error">;
}

export interface HttpServer extends HttpRoutes {
  /** Answers where it listens. Throws AppError HTTP_PORT_BUSY. */
  start(): Promise<{ host: string; port: number }>;
  /** Lets running requests end for up to two seconds. */
  stop(): Promise<void>;
}

const stopLimitMs = 2000;

const refusedName =
  "This name does not lead here; use localhost. For /v1, list the name with its port as api.hosts in channels.yaml.";

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { host, port, publicHosts = [], log } = options;
  const loopback = isLoopbackHost(host);
  const startedAt = performance.now();
  const app = new Hono<{ Bindings: HttpBindings }>();
  // The adapter would replace the global Request and Response, which the model clients use as well.
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  const upgrades = new Map<string, UpgradeHandler>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A socket that dies during the handshake must not become an unhandled error.
    socket.on("error", () => socket.destroy());
    const path = URL.parse(request.url ?? "", "http://localhost")?.pathname ?? "";
    const handler = upgrades.get(path);
    if (!leadsHere(request.headers.host, request.socket.localPort)) return refuseUpgrade(socket, "403 Forbidden");
    if (handler === undefined) return refuseUpgrade(socket, "404 Not Found");
    return handler(request, socket, head);
  });

  /** A web page whose name was re-pointed at 127.0.0.1 sends its own name as Host (DNS rebinding). */
  function leadsHere(wanted = "", listening: number | undefined): boolean {
    return !loopback || isOwnName(wanted, listening) || publicHosts.includes(wanted.toLowerCase());
  }

  app.use(secureHeaders());
  app.use(async (context, next) => {
    if (!leadsHere(context.req.header("host"), context.env.incoming.socket.localPort)) {
      return context.json({ error: refusedName }, 403);
    }
    return next();
  });

  app.get("/healthz", (context) => {
    const uptimeSeconds = Math.floor((performance.now() - startedAt) / 1000);
    return context.json({ status: "ok", uptimeSeconds });
  });

  app.notFound((context) => context.json({ error: "There is nothing here." }, 404));
  app.onError((error, context) => {
    const id = createReadableCode(8);
    log.error({ err: error, id, method: context.req.method, path: context.req.path }, "a request failed");
    return context.json({ error: "Something went wrong.", id }, 500);
  });

  return {
    app,
    port: () => (server.address() as AddressInfo | null)?.port ?? port,
    onUpgrade: (path, handler) => void upgrades.set(path, handler),

    start: () =>
      new Promise((resolve, reject) => {
        const fail = (error: NodeJS.ErrnoException): void => reject(explainListenFault(error, host, port));
        server.once("error", fail);
        server.listen(port, host.replace(/^\[|\]$/g, ""), () => {
          server.off("error", fail);
          server.on("error", (error) => log.error({ err: error }, "the HTTP server has a fault"));
          const address = server.address() as AddressInfo;
          resolve({ host: address.address, port: address.port });
        });
      }),

    stop: () =>
      new Promise((resolve) => {
        if (!server.listening) {
          resolve();
          return;
        }
        const force = setTimeout(() => server.closeAllConnections(), stopLimitMs);
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function refuseUpgrade(socket: Duplex, status: string): void {
  // Half open, it would outlive the server: nobody else closes a connection that asked for an upgrade.
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** `localhost`, `127.0.0.1` or `[::1]` with the port we listen on; only port 80 may be left out. */
function isOwnName(hostHeader: string, listening: number | undefined): boolean {
  const [, name = "", port = "80"] = /^(.*?)(?::(\d+))?$/.exec(hostHeader) ?? [];
  return isLoopbackHost(name) && Number(port) === listening;
}

function explainListenFault(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === "EADDRINUSE") {
    const advice = `Another program listens on ${host}:${port}. Stop it, or set KURISU_PORT to another port.`;
    return new AppError("HTTP_PORT_BUSY", advice, { cause: error });
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND" || error.code === "EACCES") {
    const advice = `Cannot listen on ${host}:${port} (${error.code}). Check KURISU_HOST and KURISU_PORT.`;
    return new AppError("CONFIG_INVALID", advice, { cause: error });
  }
  return error;
}
