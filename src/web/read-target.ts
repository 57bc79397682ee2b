import { isIP } from "node:net";
import { hostOf, portOf } from "./check-url.ts";

/** A host and port that a client of the proxy wants: a name in small letters without a final dot, or an address without brackets. */
export interface ForwardTarget {
  readonly host: string;
  readonly port: number;
}

/** The target that a client asks the proxy for. `shown` is safe to log and to show: `host:port`, or what is wrong in brackets. */
export type WantedTarget =
  | {
      readonly kind: "target";
      readonly target: ForwardTarget;
      /** With query. */
      readonly path: string;
      readonly shown: string;
    }
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
  const [host, port] = [hostOf(url), portOf(url)];
  if (port === 0 || (isIP(host) === 0 && !isHostName(host))) return malformed;
  const shown = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (url.username !== "" || url.password !== "") {
    return { kind: "refused", shown, reason: "a user in the address is not passed on; use a header" };
  }
  if (url.protocol === "https:") return { kind: "refused", shown, reason: "https goes through CONNECT" };
  return { kind: "target", target: { host, port }, path: `${url.pathname}${url.search}`, shown };
}

/** Labels as the DNS has them, in small letters. */
export function isHostName(host: string): boolean {
  const labels = host.split(".");
  return host.length <= 253 && labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
}
