import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { WebSocket, type RawData } from "ws";
import { z } from "zod";
import { parseJson } from "../../core/parse-json.ts";
import { isAnswer, readAnswer, type ActionAnswer } from "./action-answer.ts";
import { type Dialect, writeIds } from "./dialect.ts";
import { readRecord } from "../json-view.ts";

/** Why a connection ended. */
export type LinkEnd =
  /** They refused our token. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Another connection speaks for the same account now. */
  | { readonly kind: "replaced"; readonly account: string }
  | { readonly kind: "stopped" }
  | { readonly kind: "lost"; readonly reason: string };

/**
 * One WebSocket to an implementation, opened by either side: calls go out, their answers and events come in. An action that
 * it does not have is asked for once; from then on that answer is ours.
 */
export interface OneBotLink {
  /** Never throws; without an answer it ends with the socket, after `timeoutMs`, or when the signal aborts. */
  call(action: string, params: object, timeoutMs?: number, signal?: AbortSignal): Promise<ActionAnswer>;
  /** Ends the connection; calls in flight fail at once. */
  end(how: LinkEnd): void;
  readonly ended: Promise<LinkEnd>;
  /** The socket is gone, a moment after the end. */
  readonly closed: Promise<void>;
}

export interface LinkPace extends LivenessPace {
  /** How long a call may take. */
  readonly callMs: number;
}

const tokenRefused = 1403;
const closeLimitMs = 500;

interface PendingCall {
  readonly settle: (answer: ActionAnswer) => void;
  readonly extend: () => void;
  /** Its answer comes in pieces, as of a download. */
  readonly inPieces: boolean;
}

export function createOneBotLink(parts: {
  readonly socket: WebSocket;
  readonly onEvent: (event: object) => void;
  /** A frame or a pong came. */
  readonly onLife?: () => void;
  /** As far as it is known by now. */
  readonly dialect: () => Dialect;
  readonly pace: LinkPace;
  readonly log: Logger;
}): OneBotLink {
  const { socket, onEvent, onLife = () => undefined, pace, log } = parts;
  /** Actions that it does not have, with its own words. */
  const missing = new Map<string, ActionAnswer>();
  const pending = new Map<string, PendingCall>();
  const ended = Promise.withResolvers<LinkEnd>();
  const closed = Promise.withResolvers<void>();
  let over: LinkEnd | undefined;
  let fault = "";
  const liveness = watchLiveness(socket, pace, (reason) => finish({ kind: "lost", reason }));

  function finish(how: LinkEnd): void {
    if (over !== undefined) return;
    over = how;
    liveness.stop();
    const reason = how.kind === "lost" ? how.reason : `the connection was ${how.kind}`;
    for (const call of pending.values()) call.settle({ kind: "unanswered", reason, ended: true });
    closeSocket(socket, how);
    ended.resolve(how);
  }

  function take(raw: RawData): void {
    if (over !== undefined) return;
    onLife();
    const frame = parseFrame(raw);
    if (frame === undefined) {
      log.warn({ rule: "malformed" }, "a OneBot frame was no JSON object and is ignored");
      return;
    }
    liveness.heard(frame);
    if (!isAnswer(frame)) return onEvent(frame);
    const read = readAnswer(frame);
    if (read === undefined) return log.debug({ rule: "malformed" }, "an answer without a status was ignored");
    if (read.echo === undefined && read.answer.kind === "failed" && read.answer.retcode === tokenRefused) {
      return finish({ kind: "refused", reason: read.answer.reason });
    }
    const call = read.echo === undefined ? undefined : pending.get(read.echo);
    if (call === undefined) return log.info({ rule: "unknown_echo" }, "an answer to no call of ours was dropped");
    return read.more && call.inPieces ? call.extend() : call.settle(read.answer);
  }

  /** A frame must not end the process: an exception in here would. */
  function takeSafely(raw: RawData): void {
    try {
      take(raw);
    } catch (error) {
      log.error({ err: error }, "a OneBot frame could not be handled and is dropped");
    }
  }

  socket.on("message", takeSafely);
  socket.on("pong", onLife);
  socket.on("error", (error) => (fault = error.message));
  socket.on("close", (code) => {
    const reason = fault === "" ? `the connection was closed (${code})` : fault;
    finish({ kind: "lost", reason });
    closed.resolve();
  });

  return {
    ended: ended.promise,
    closed: closed.promise,
    end: finish,
    call(action, params, timeoutMs = pace.callMs, signal) {
      if (signal?.aborted === true) return Promise.resolve({ kind: "unsent", reason: "the channel is stopping" });
      if (over !== undefined || socket.readyState !== WebSocket.OPEN) {
        return Promise.resolve({ kind: "unsent", reason: "there is no connection" });
      }
      const known = missing.get(action);
      if (known !== undefined) return Promise.resolve(known);
      const dialect = parts.dialect();
      const echo = randomUUID();
      return new Promise((resolve) => {
        const settle = (answer: ActionAnswer): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", stop);
          pending.delete(echo);
          if (answer.kind === "failed" && parts.dialect().noSuchAction.includes(answer.retcode))
            missing.set(action, answer);
          resolve(answer);
        };
        const reason = `no answer to ${action} within ${timeoutMs / 1_000} s`;
        const timer = setTimeout(() => settle({ kind: "unanswered", reason }), timeoutMs);
        const stop = (): void => settle({ kind: "unanswered", reason: "the channel is stopping" });
        signal?.addEventListener("abort", stop);
        // Each piece of an upload has an answer of its own, marked like those of a download.
        pending.set(echo, { settle, extend: () => timer.refresh(), inPieces: !action.startsWith("upload_") });
        socket.send(JSON.stringify({ action, params: writeIds(params, dialect), echo }));
      });
    },
  };
}

function parseFrame(raw: RawData): object | undefined {
  // With the default binaryType every frame is one Buffer.
  return readRecord(parseJson((raw as Buffer).toString("utf8")));
}

function closeSocket(socket: WebSocket, how: LinkEnd): void {
  if (how.kind === "lost" || how.kind === "refused") return socket.terminate();
  socket.close(1_000, how.kind);
  const force = setTimeout(() => socket.terminate(), closeLimitMs);
  force.unref();
  socket.once("close", () => clearTimeout(force));
}

/** Milliseconds. */
interface LivenessPace {
  /** An implementation that sends no heartbeats is asked for a sign of life after this much silence. */
  readonly silenceMs: number;
  /** How long it may take to give one. */
  readonly pongMs: number;
}

const heartbeat = z.object({ meta_event_type: z.literal("heartbeat"), interval: z.number().positive() });
const missedIntervals = 2.5;
/** An interval longer than this is no promise of life. */
const maxSilenceMs = 10 * 60_000;

/** Notices a half-dead connection: silence is answered by a ping, and a ping without a pong is the end. */
function watchLiveness(
  socket: WebSocket,
  pace: LivenessPace,
  onDead: (reason: string) => void,
): { heard(frame: object): void; stop(): void } {
  let promised: number | undefined;
  let timer: NodeJS.Timeout;
  let stopped = false;

  function rest(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(ask, ms);
  }

  function ask(): void {
    // Before the handshake is over its own time limit counts.
    if (socket.readyState !== WebSocket.OPEN) return rest(pace.silenceMs);
    socket.ping();
    timer = setTimeout(() => onDead("it gave no sign of life and did not answer a ping"), pace.pongMs);
  }

  socket.on("pong", () => rest(promised ?? pace.silenceMs));
  timer = setTimeout(ask, pace.silenceMs);

  return {
    heard(frame) {
      const beat = heartbeat.safeParse(frame).data;
      if (beat !== undefined) promised = Math.min(beat.interval * missedIntervals, maxSilenceMs);
      // Once heartbeats were promised, nothing else stands in for them.
      if (beat !== undefined || promised === undefined) rest(promised ?? pace.silenceMs);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Larger frames end the connection; NapCat has the same limit. */
export const defaultMaxPayloadBytes = 50 * 1024 * 1024;

/** Limits of every socket of the channel: a compressed frame could unpack into any size. */
export function socketLimits(maxPayload: number): { maxPayload: number; perMessageDeflate: false } {
  return { maxPayload, perMessageDeflate: false };
}
