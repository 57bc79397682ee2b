import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import type { FakeQqBotSettings } from "./qq-types.ts";

interface Event {
  readonly id: string;
  readonly t: string;
  readonly d: object;
}

interface Session {
  readonly id: string;
  seq: number;
  readonly events: { readonly s: number; readonly event: Event }[];
  socket: WebSocket | undefined;
}

export interface FakeGateway {
  /** To the newest session; kept for it while it is not connected. */
  push(event: Event): void;
  connections(): number;
  /** How connections began. */
  readonly beginnings: readonly ("identify" | "resume")[];
  /** Ends every connection, without a word. */
  cut(): void;
  /** op 7. */
  askToReconnect(): void;
  /** No session can be resumed any more. */
  forgetSessions(): void;
  /** Answers no heartbeat from now on. */
  isDeaf: boolean;
  /** Takes connections and says nothing. */
  isMute: boolean;
  /** How many of the next connections end at their first frame, with the code of a token that is none. */
  refusedTokens: number;
  readonly violations: string[];
}

const guildIntents = (1 << 30) | (1 << 12);

/** Tencent's WebSocket gateway: hello, identify or resume, heartbeats, events in order, and its closing codes. */
export function startFakeGateway(
  server: Server,
  parts: {
    readonly settings: FakeQqBotSettings;
    readonly isToken: (header: unknown) => boolean;
    readonly isUp: () => boolean;
  },
): FakeGateway {
  const { settings } = parts;
  const sockets = new WebSocketServer({ noServer: true });
  const sessions = new Map<string, Session>();
  let newest: Session | undefined;
  const gateway: FakeGateway & { readonly beginnings: ("identify" | "resume")[] } = {
    beginnings: [],
    violations: [],
    isDeaf: false,
    isMute: false,
    refusedTokens: 0,
    push(event) {
      if (newest === undefined) return;
      newest.seq += 1;
      newest.events.push({ s: newest.seq, event });
      send(newest.socket, { op: 0, s: newest.seq, ...event });
    },
    connections: () => sockets.clients.size,
    cut: () => sockets.clients.forEach((socket) => socket.terminate()),
    askToReconnect: () => sockets.clients.forEach((socket) => send(socket, { op: 7 })),
    forgetSessions: () => sessions.clear(),
  };

  server.on("upgrade", (request, socket, head) => {
    if (!parts.isUp() || request.url !== "/ws") return socket.destroy();
    return sockets.handleUpgrade(request, socket, head, attend);
  });

  function attend(socket: WebSocket): void {
    let session: Session | undefined;
    let beatAt = Date.now();
    const watch = setInterval(() => {
      if (Date.now() - beatAt > settings.heartbeatMs * 3 + 2_000) socket.close(4009);
    }, 50);
    socket.on("close", () => {
      clearInterval(watch);
      if (session?.socket === socket) session.socket = undefined;
    });
    if (gateway.isMute) return;
    send(socket, { op: 10, d: { heartbeat_interval: settings.heartbeatMs } });
    socket.on("message", (raw: Buffer) => {
      const frame = JSON.parse(raw.toString()) as { op: number; d: Record<string, unknown> & number };
      if (frame.op === 1) {
        beatAt = Date.now();
        const { d } = frame;
        // Koishi sends none.
        const isKnown = (d ?? null) === null || (typeof d === "number" && d <= (session?.seq ?? 0));
        if (!isKnown) gateway.violations.push(`a heartbeat with ${String(d)}`);
        if (!gateway.isDeaf) send(socket, { op: 11 });
        return;
      }
      if (session !== undefined) return void gateway.violations.push(`op ${frame.op} after the beginning`);
      if (gateway.refusedTokens > 0) {
        gateway.refusedTokens -= 1;
        return socket.close(4004);
      }
      if (!parts.isToken(frame.d["token"])) return send(socket, { op: 9, d: false });
      if (frame.op === 2) {
        gateway.beginnings.push("identify");
        const intents = Number(frame.d["intents"]);
        if (!settings.allowsGuilds && (intents & guildIntents) !== 0) return socket.close(4014);
        session = { id: randomUUID(), seq: 1, events: [], socket };
        sessions.set(session.id, session);
        newest = session;
        return send(socket, {
          op: 0,
          s: 1,
          t: "READY",
          d: { version: 1, session_id: session.id, user: { id: "9001", username: "Kurisu", bot: true }, shard: [0, 1] },
        });
      }
      if (frame.op !== 6) return void gateway.violations.push(`op ${frame.op} at the beginning`);
      gateway.beginnings.push("resume");
      session = sessions.get(String(frame.d["session_id"]));
      if (session === undefined) return send(socket, { op: 9, d: false });
      session.socket = socket;
      for (const { s, event } of session.events) if (s > Number(frame.d["seq"])) send(socket, { op: 0, s, ...event });
      return send(socket, { op: 0, s: session.seq, t: "RESUMED", d: "" });
    });
  }

  return gateway;
}

function send(socket: WebSocket | undefined, frame: object): void {
  if (socket?.readyState === 1) socket.send(JSON.stringify(frame));
}
