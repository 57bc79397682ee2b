import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";

/** Takes over a connection that asks to become a WebSocket; it answers the handshake or refuses it itself. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The routes a channel mounts its own on. The server itself is the gateway's. */
export interface HttpRoutes {
  readonly app: Hono<{ Bindings: HttpBindings }>;
  /** The port it listens at; before the start, the port that the configuration names. */
  port(): number;
  /** Hands WebSocket handshakes for one path to `handler`. */
  onUpgrade(path: string, handler: UpgradeHandler): void;
}
