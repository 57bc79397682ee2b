import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { describeAnswer } from "./fake-connection.ts";
import type { FakeHandshake, FakeOneBotSettings } from "./onebot-types.ts";

export interface ForwardServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The side that waits for clients. `down` = nobody can reach it. */
export async function startForwardServer(parts: {
  readonly settings: FakeOneBotSettings;
  readonly down: () => boolean;
  readonly onHandshake: (handshake: FakeHandshake) => void;
  readonly onOpen: (socket: WebSocket, path: string) => void;
}): Promise<ForwardServer> {
  const { settings } = parts;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 50 * 1024 * 1024 });
  const server = createServer((_, response) => response.writeHead(426).end());
  server.on("connection", (socket) => {
    if (parts.down()) socket.destroy();
  });
  server.on("upgrade", (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const accepted = settings.token === "" || readToken(request, searchParams) === settings.token;
    parts.onHandshake({ side: "forward", path: pathname, headers: request.headers, accepted });
    if (!accepted && settings.badToken === "401") {
      socket.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      if (accepted) return parts.onOpen(opened, pathname);
      opened.send(JSON.stringify({ ...describeAnswer(1403, "token验证失败", null, null), echo: null }));
      return opened.close();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The one in the URL goes first, as in NapCat. */
function readToken({ headers }: IncomingMessage, search: URLSearchParams): string {
  return search.get("access_token") ?? /^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1] ?? "";
}
