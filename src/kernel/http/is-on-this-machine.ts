import type { IncomingMessage } from "node:http";
import { isLoopbackHost } from "./is-loopback-host.ts";
import { isOwnName } from "./is-own-name.ts";

/** Besides these, everything that begins with `x-forwarded-`, `x-original-`, `x-envoy-` or `cf-`. */
const forwardingHeaders = new Set([
  "forwarded",
  "via",
  "cdn-loop",
  "client-ip",
  "fastly-client-ip",
  "true-client-ip",
  "x-amzn-trace-id",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-real-ip",
]);
const forwardingPrefixes = ["x-forwarded-", "x-original-", "x-envoy-", "cf-"];

/**
 * Whether the client is a program on this machine. A reverse proxy on this machine has the same address, so any sign of
 * forwarding counts against it: a header, a foreign host name, or HTTP/1.0, which nginx uses upstream by default.
 */
export function isOnThisMachine({ headers, httpVersion, socket }: IncomingMessage): boolean {
  const peer = socket.remoteAddress?.replace(/^::ffff:/i, "") ?? "";
  if (!isLoopbackHost(peer) || httpVersion === "1.0" || !isOwnName(headers.host ?? "", "any")) return false;
  return !Object.keys(headers).some(
    (name) => forwardingHeaders.has(name) || forwardingPrefixes.some((prefix) => name.startsWith(prefix)),
  );
}
