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
import { isOwnName } from "./is-own-name.ts";
import { createPublicNames, type PublicName } from "./public-names.ts";
import { createMinuteLimit } from "../../channels/rare-warning.ts";
import type { HttpRoutes, UpgradeHandler } from "../../channels/http-routes.ts";

export interface HttpServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly publicNames?: readonly PublicName[];
  readonly log: Pick<Logger, "error">;
}

/** The one HTTP server. Other parts mount their routes on `app` before `start`. */
export interface HttpServer extends HttpRoutes {
  /** Returns its address. Throws AppError HTTP_PORT_BUSY. */
  start(): Promise<{ host: string; port: number }>;
  /** `end` is called when the server stops, before it waits for responses that have no end of their own. */
  onStop(end: () => void): void;
  /** Lets running requests finish for up to two seconds. */
  stop(): Promise<void>;
}

const stopLimitMs = 2000;
/** Server faults logged per minute. Any caller can cause one, so they must not fill the log. */
const maxFaults = 10;

const refusedName =
  "This name does not lead here; use localhost. For /v1, list the name with its port as api.hosts in channels.yaml; for the console, as hosts in console.yaml.";

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { host, port, publicNames = [], log } = options;
  const loopback = isLoopbackHost(host);
  const names = createPublicNames(publicNames);
  const startedAt = performance.now();
  const app = new Hono<{ Bindings: HttpBindings }>();
  const countFault = createMinuteLimit(maxFaults);
  // The adapter would replace the global Request and Response, which the model clients use as well.
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  const ends: (() => void)[] = [];
  const upgrades = new Map<string, UpgradeHandler>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A socket that dies during the handshake must not cause an unhandled error.
    socket.on("error", () => socket.destroy());
    const path = URL.parse(request.url ?? "", "http://localhost")?.pathname ?? "";
    const handler = upgrades.get(path);
    const opened = judgeName(request.headers.host, request.socket.localPort, path);
    if (opened === "foreign") return refuseUpgrade(socket, "403 Forbidden");
    if (opened === "closed" || handler === undefined) return refuseUpgrade(socket, "404 Not Found");
    return handler(request, socket, head);
  });

  /**
   * A web page whose name was re-pointed at 127.0.0.1 sends that name as Host (DNS rebinding): foreign. A public name
   * opens only its own routes: other paths are closed.
   */
  function judgeName(wanted = "", listening: number | undefined, path: string): "open" | "closed" | "foreign" {
    if (isOwnName(wanted, loopback ? listening : "any")) return "open";
    const opens = names.find(wanted);
    if (opens) return opens(path) ? "open" : "closed";
    return loopback ? "foreign" : "open";
  }

  app.use(secureHeaders());
  app.use(async (context, next) => {
    const { localPort } = context.env.incoming.socket;
    const opened = judgeName(context.req.header("host"), localPort, context.req.path);
    if (opened === "foreign") return context.json({ error: refusedName }, 403);
    return opened === "open" ? next() : context.notFound();
  });

  app.get("/healthz", (context) => {
    const uptimeSeconds = Math.floor((performance.now() - startedAt) / 1000);
    return context.json({ status: "ok", uptimeSeconds });
  });

  app.notFound((context) => context.json({ error: "There is nothing here." }, 404));
  app.onError((error, context) => {
    const answer = { error: "Something went wrong." };
    const unsaid = countFault();
    if (unsaid === undefined) return context.json(answer, 500);
    const id = createReadableCode(8);
    const { method, path } = context.req;
    log.error({ err: error, id, method, path, ...(unsaid > 0 && { unsaid }) }, "a request failed");
    return context.json({ ...answer, id }, 500);
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

    onStop: (end) => void ends.push(end),
    stop: () =>
      new Promise((resolve) => {
        if (!server.listening) {
          resolve();
          return;
        }
        for (const end of ends) end();
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
  // A half-open socket would outlive the server: Node does not close connections that requested an upgrade.
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
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
