import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectSecure, type ConnectionOptions } from "node:tls";
import { callbackify } from "node:util";
import { describeError } from "../core/errors.ts";
import { hostOf, portOf } from "./check-url.ts";
import { findProxy, readTarget } from "./outbound-proxy.ts";
import { showProxy, type ProxyPlace } from "./proxy-settings.ts";

/** The proxy itself would not, or could not. */
export class ProxyFailure extends Error {
  override readonly name = "ProxyFailure";
  /** Its answer; undefined when there was none. */
  readonly status: number | undefined;

  constructor(reason: string, status?: number) {
    super(reason);
    this.status = status;
  }
}

const tunnelMs = 10_000;

/** A connection through a proxy to a host and port (CONNECT). Rejects with ProxyFailure, or with the reason of the signal. */
export function openTunnel(
  proxy: ProxyPlace,
  { host, port }: { readonly host: string; readonly port: number },
  given?: AbortSignal,
): Promise<Socket> {
  const late = AbortSignal.timeout(tunnelMs);
  const signal = given ? AbortSignal.any([given, late]) : late;
  const url = new URL(proxy.url);
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const shown = `the proxy ${showProxy(proxy)}`;
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send({
      host: hostOf(url),
      port: portOf(url),
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...readAuthorization(url) },
      // Straight to the proxy.
      agent: false,
    });
    const stop = (): void => {
      request.destroy();
      reject(
        late.aborted
          ? new ProxyFailure(`${shown} did not answer within ${tunnelMs / 1000} s`)
          : (signal.reason as Error),
      );
    };
    const settle = (): void => signal.removeEventListener("abort", stop);
    request.on("error", (error) => {
      settle();
      reject(new ProxyFailure(`${shown} cannot be reached: ${describeError(error)}`));
    });
    request.once("connect", ({ statusCode = 0 }, socket: Socket, head) => {
      settle();
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      const remedy = statusCode === 407 ? ": it wants a user and a password" : "";
      reject(new ProxyFailure(`${shown} did not connect to ${authority} (HTTP ${statusCode})${remedy}`, statusCode));
    });
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    request.end();
  });
}

function readAuthorization({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/**
 * The options that a WebSocket needs to follow the proxies: none where there is no proxy. Always by CONNECT, since few
 * proxies let a plain request change its protocol.
 */
export function tunnelWebSocket(address: string): { readonly createConnection?: typeof connectPlain } {
  const target = readTarget(new URL(address));
  const proxy = findProxy(target);
  if (proxy === undefined) return {};
  // The options are those of an HTTP request, whose path is no socket's.
  const tls = { path: undefined, servername: isIP(target.host) === 0 ? target.host : "" };
  const open = async (options: ConnectionOptions): Promise<Socket> => {
    const socket = await openTunnel(proxy, target);
    return target.secure ? connectSecure({ ...options, ...tls, socket }) : socket;
  };
  // Node takes a connection that comes later; the types of ws do not say so.
  return { createConnection: callbackify(open) as unknown as typeof connectPlain };
}
