import type { Logger } from "pino";
import { WebSocket, type RawData } from "ws";
import { z } from "zod";
import { parseJson } from "../../core/parse-json.ts";
import { tunnelWebSocket } from "../../web/proxy-tunnel.ts";
import { dispatchShape, type Dispatch } from "./read-dispatch.ts";

/** The end of the last connection. `seq` is that of the newest stored event: QQ sends later events once more. */
export interface GatewaySession {
  id: string | undefined;
  seq: number | undefined;
}

/** Why a connection ended, and how the next one begins. */
export type LinkEnd =
  | { readonly kind: "stopped" }
  /** The session lives: the next connection resumes it. */
  | { readonly kind: "lost"; readonly reason: string }
  /** The next connection begins a new one. */
  | { readonly kind: "invalid"; readonly reason: string }
  /** They did not take our token. */
  | { readonly kind: "unauthorized"; readonly reason: string }
  /** We asked for events that the bot may not have. */
  | { readonly kind: "intents"; readonly reason: string }
  /** Only an operator can mend it. */
  | { readonly kind: "refused"; readonly reason: string };

export interface GatewayLink {
  readonly ended: Promise<LinkEnd>;
  /** Nothing is heard after this. */
  end(how: LinkEnd): void;
  /** The socket is gone. */
  readonly closed: Promise<void>;
}

const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
};
const maxFrameSize = 4 * 1024 * 1024;
const closeLimitMs = 500;
const quickestBeatMs = 20;
const slowestBeatMs = 120_000;

const frameShape = z.object({ op: z.int(), d: z.unknown().optional() });
const hello = z.object({ heartbeat_interval: z.number().positive() });
const ready = z.object({
  session_id: z.string().min(1).max(500),
  user: z
    .object({ id: z.string().max(200) })
    .optional()
    .catch(undefined),
});

/** A connection to Tencent's gateway. Source: bot.q.qq.com/wiki, interface-framework/reference. */
export function openGatewayLink(parts: {
  readonly url: string;
  /** `QQBot …` */
  readonly header: string;
  readonly intents: number;
  readonly session: GatewaySession;
  readonly onReady: (userId: string | undefined) => void;
  readonly onDispatch: (dispatch: Dispatch) => void;
  readonly onLife: () => void;
  readonly handshakeMs: number;
  readonly log: Logger;
}): GatewayLink {
  const { session, header, log } = parts;
  const socket = new WebSocket(parts.url, {
    ...tunnelWebSocket(parts.url),
    maxPayload: maxFrameSize,
    perMessageDeflate: false,
    handshakeTimeout: parts.handshakeMs,
  });
  const ended = Promise.withResolvers<LinkEnd>();
  const closed = Promise.withResolvers<void>();
  let over = false;
  let resuming = false;
  let fault = "";
  let beat: NodeJS.Timeout | undefined;
  let isAnswered = true;
  const limit = setTimeout(() => finish({ kind: "lost", reason: "it did not let us in in time" }), parts.handshakeMs);

  function finish(how: LinkEnd): void {
    if (over) return;
    over = true;
    clearTimeout(limit);
    clearInterval(beat);
    ended.resolve(how);
    if (how.kind !== "stopped") return socket.terminate();
    socket.close(1_000);
    setTimeout(() => socket.terminate(), closeLimitMs).unref();
  }

  function send(code: number, d: unknown): void {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ op: code, d }));
  }

  function beginBeating(intervalMs: number): void {
    clearInterval(beat);
    isAnswered = true;
    const everyMs = Math.min(Math.max(intervalMs, quickestBeatMs), slowestBeatMs);
    beat = setInterval(() => {
      if (!isAnswered) return finish({ kind: "lost", reason: "it did not answer a heartbeat" });
      isAnswered = false;
      send(op.heartbeat, session.seq ?? null);
    }, everyMs);
  }

  function introduce(): void {
    resuming = session.id !== undefined;
    if (resuming) send(op.resume, { token: header, session_id: session.id, seq: session.seq ?? 0 });
    else send(op.identify, { token: header, intents: parts.intents, shard: [0, 1], properties: {} });
  }

  function takeDispatch(frame: unknown): void {
    const read = dispatchShape.safeParse(frame);
    if (!read.success) return log.debug({ rule: "malformed" }, "a gateway event was ignored");
    const { t: name, s: seq, d } = read.data;
    if (name === "READY") {
      const given = ready.safeParse(d);
      if (!given.success) return finish({ kind: "invalid", reason: "its READY names no session" });
      session.id = given.data.session_id;
      session.seq = seq;
      clearTimeout(limit);
      return parts.onReady(given.data.user?.id);
    }
    if (name === "RESUMED") {
      clearTimeout(limit);
      return parts.onReady(undefined);
    }
    return parts.onDispatch(read.data);
  }

  function take(raw: RawData): void {
    if (over) return;
    parts.onLife();
    // With the default binaryType every frame is one Buffer.
    const frame = parseJson((raw as Buffer).toString("utf8"));
    const read = frameShape.safeParse(frame);
    if (!read.success) return log.warn({ rule: "malformed" }, "a gateway frame was no message and is ignored");
    switch (read.data.op) {
      case op.hello:
        beginBeating(hello.safeParse(read.data.d).data?.heartbeat_interval ?? slowestBeatMs);
        return introduce();
      case op.dispatch:
        return takeDispatch(frame);
      case op.heartbeat:
        return send(op.heartbeat, session.seq ?? null);
      case op.heartbeatAck:
        isAnswered = true;
        return undefined;
      case op.reconnect:
        return finish({ kind: "lost", reason: "it asked us to connect again" });
      case op.invalidSession:
        return finish(
          resuming
            ? { kind: "invalid", reason: "it does not know our session any more" }
            : { kind: "unauthorized", reason: "it did not take our token" },
        );
      default:
        return log.debug({ op: read.data.op }, "a gateway frame of an unknown kind was ignored");
    }
  }

  /** A frame must not end the process: an exception in here would. */
  socket.on("message", (raw) => {
    try {
      take(raw);
    } catch (error) {
      log.error({ err: error }, "a gateway frame could not be handled and is dropped");
    }
  });
  socket.on("error", (error) => (fault = error.message));
  socket.on("close", (code) => {
    finish(readClose(code, fault));
    closed.resolve();
  });

  return { ended: ended.promise, closed: closed.promise, end: finish };
}

function readClose(code: number, fault: string): LinkEnd {
  const reason = fault === "" ? `the connection was closed (${code})` : fault;
  if (code === 4004) return { kind: "unauthorized", reason };
  if (code === 4013 || code === 4014) return { kind: "intents", reason };
  if (code === 4914 || code === 4915) return { kind: "refused", reason: `the bot is offline or banned (${code})` };
  if (code >= 4010 && code <= 4012) return { kind: "refused", reason };
  const isOver = (code >= 4001 && code <= 4007) || (code >= 4900 && code <= 4913);
  return { kind: isOver ? "invalid" : "lost", reason };
}
