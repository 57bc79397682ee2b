import { isIP } from "node:net";
import { isPlainHostName, type EgressTarget } from "./network-host.ts";

/** What a client asks the proxy for. `shown` is safe to log and to show: `host:port`, or what is wrong in brackets. */
export type WantedTarget =
  | { readonly kind: "host"; readonly target: EgressTarget; readonly path: string; readonly shown: string }
  | { readonly kind: "refused"; readonly shown: string; readonly reason: string };

const malformed: WantedTarget = { kind: "refused", shown: "(malformed)", reason: "the address is malformed" };

/** `host:port` of a CONNECT. */
export function readAuthority(text: string): WantedTarget {
  return /^[^\s/\\?#@]{1,300}:\d{1,5}$/.test(text) ? readAddress(`http://${text}/`) : malformed;
}

/**
 * The absolute address of a plain request. Read once by the WHATWG rules (case, percent signs, Unicode names, numbers
 * that are addresses in disguise); only what comes out of them is compared, looked up and connected to.
 */
export function readAddress(text: string): WantedTarget {
  const url = text.length <= 8192 ? URL.parse(text) : null;
  if (url === null || !/^https?:\/\//i.test(text)) return malformed;
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const host = url.hostname.endsWith(".") ? url.hostname.slice(0, -1) : url.hostname;
  const shown = `${host}:${port}`;
  if (isIP(host) !== 0 || host.startsWith("[")) {
    return { kind: "refused", shown, reason: "addresses are not reached, only hosts by their name" };
  }
  if (!isPlainHostName(host) || port === 0) return malformed;
  if (url.username !== "" || url.password !== "") {
    return { kind: "refused", shown, reason: "a user in the address is not passed on; use a header" };
  }
  if (url.protocol === "https:") return { kind: "refused", shown, reason: "https goes through CONNECT" };
  return { kind: "host", target: { host, port }, path: `${url.pathname}${url.search}`, shown };
}
