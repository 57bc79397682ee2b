import { isLoopbackHost } from "./is-loopback-host.ts";

/**
 * Whether the header `Host` is `localhost`, `127.0.0.1` or `[::1]` with the port we listen on; only port 80 may be
 * omitted. `any` accepts every port, for example a container host's.
 */
export function isOwnName(hostHeader: string, listening: number | "any" | undefined): boolean {
  const [, name = "", port = "80"] = /^(.*?)(?::(\d+))?$/.exec(hostHeader) ?? [];
  return isLoopbackHost(name) && (listening === "any" || Number(port) === listening);
}
