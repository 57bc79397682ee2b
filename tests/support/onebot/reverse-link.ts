import { WebSocket } from "ws";
import type { FakeHandshake, FakeOneBotSettings } from "./onebot-types.ts";

export interface ReverseLinkOptions {
  readonly token?: string;
  readonly selfId?: number;
  /** The pause before each new try. */
  readonly reconnectMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ReverseLink {
  /** How often it has tried to connect. */
  readonly attempts: () => number;
  /** HTTP status of the last handshake that was refused. */
  readonly lastStatus: () => number | undefined;
  /** No further tries; an open connection ends. */
  end(): Promise<void>;
}

/** The side that calls: connects as NapCat's WebSocket client does, and again after each end. */
export function startReverseLink(
  url: string,
  options: ReverseLinkOptions,
  parts: {
    readonly settings: FakeOneBotSettings;
    readonly down: () => boolean;
    readonly onHandshake: (handshake: FakeHandshake) => void;
    readonly onOpen: (socket: WebSocket, path: string) => void;
  },
): ReverseLink {
  const { token = parts.settings.token, selfId = parts.settings.selfId, reconnectMs = 50 } = options;
  const headers = {
    "X-Self-ID": String(selfId),
    // NapCat sends the word alone when it has no token.
    Authorization: `Bearer ${token}`,
    "X-Client-Role": "Universal",
    "User-Agent": "OneBot/11",
    ...options.headers,
  };
  const path = new URL(url).pathname;
  let attempts = 0;
  let lastStatus: number | undefined;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let socket: WebSocket | undefined;

  function tryLater(): void {
    if (!ended) timer = setTimeout(connect, reconnectMs);
  }

  function connect(): void {
    if (parts.down()) return tryLater();
    attempts += 1;
    const opening = new WebSocket(url, { headers, handshakeTimeout: 20_000, perMessageDeflate: false });
    socket = opening;
    const report = (accepted: boolean) => parts.onHandshake({ side: "reverse", path, headers, accepted });
    opening.on("open", () => {
      report(true);
      parts.onOpen(opening, path);
    });
    opening.on("unexpected-response", (request, response) => {
      lastStatus = response.statusCode;
      report(false);
      request.destroy();
      opening.terminate();
    });
    // The end follows; what it was does not matter to it.
    opening.on("error", () => undefined);
    opening.on("close", tryLater);
  }

  connect();
  return {
    attempts: () => attempts,
    lastStatus: () => lastStatus,
    async end() {
      ended = true;
      clearTimeout(timer);
      if (socket === undefined || socket.readyState === socket.CLOSED) return;
      const closed = new Promise((resolve) => socket?.once("close", resolve));
      socket.terminate();
      await closed;
    },
  };
}
