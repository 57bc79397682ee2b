import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";

/** Takes over a connection that asks to become a WebSocket; it answers the handshake or refuses it itself. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The routes a channel mounts its own on. The server itself is the gateway's. */
export interface HttpRoutes {
  readonly app: Hono<{ Bindings: HttpBindings }>;
  /** Where it listens; before the start, where it will if the configuration names a port. */
  port(): number;
  /** Hands WebSocket handshakes for one path to `handler`. */
  onUpgrade(path: string, handler: UpgradeHandler): void;
}
