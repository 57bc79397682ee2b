import { once } from "node:events";
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { pipeline, type Duplex } from "node:stream";
import { untilTestEnds, type KeepUntil } from "./keep-until.ts";

/** What a client asked the proxy for. */
interface SeenByProxy {
  /** A tunnel, or a request with an absolute address. */
  readonly form: "connect" | "absolute";
  /** `host:port` as the client wrote it. */
  readonly target: string;
  readonly path: string;
}

export interface HttpProxy {
  /** With the user and the password that it demands. */
  readonly url: string;
  /** `127.0.0.1:PORT` */
  readonly place: string;
  readonly seen: readonly SeenByProxy[];
  /** Requests without the right user and password, which got a 407. */
  readonly refused: () => number;
}

/**
 * A real HTTP proxy on this machine. `route` says at which port of 127.0.0.1 a target stands; undefined = it answers 502, as for
 * a name that it cannot find.
 */
export async function startHttpProxy(options: {
  readonly route: (target: string) => number | undefined;
  /** `user:password`; left out = everybody may use it. */
  readonly login?: string;
  readonly keep?: KeepUntil;
}): Promise<HttpProxy> {
  const { route, login, keep = untilTestEnds } = options;
  const seen: SeenByProxy[] = [];
  const sockets = new Set<Duplex>();
  let refused = 0;
  const server = createServer();

  function lets({ headers }: IncomingMessage): boolean {
    const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString("base64")}`;
    const may = headers["proxy-authorization"] === wanted;
    if (!may) refused += 1;
    return may;
  }

  function forward(request: IncomingMessage, response: ServerResponse): void {
    if (!lets(request)) return void response.writeHead(407).end();
    const url = URL.parse(request.url ?? "");
    if (url === null) return void response.writeHead(400).end();
    const target = `${url.hostname}:${url.port || 80}`;
    seen.push({ form: "absolute", target, path: url.pathname });
    const port = route(target);
    if (port === undefined) return void response.writeHead(502).end();
    const { "proxy-authorization": _, "proxy-connection": __, ...headers } = request.headers;
    const path = `${url.pathname}${url.search}`;
    const outgoing = sendRequest({ host: "127.0.0.1", port, method: request.method, path, headers, agent: false });
    outgoing.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    request.pipe(outgoing);
  }

  function tunnel(request: IncomingMessage, near: Duplex): void {
    near.on("error", () => near.destroy());
    if (!lets(request)) return void near.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const target = request.url ?? "";
    seen.push({ form: "connect", target, path: "" });
    const port = route(target);
    if (port === undefined) return void near.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const far = connect(port, "127.0.0.1", () => {
      near.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      pipeline(near, far, near, () => undefined);
    });
    sockets.add(far);
    far.on("error", () => near.destroy());
  }

  server.on("request", forward);
  server.on("connect", tunnel);
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  keep(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const written = login?.split(":").map(encodeURIComponent).join(":");
  return { url: `http://${written === undefined ? "" : `${written}@`}${place}`, place, seen, refused: () => refused };
}
