import { isIP } from "node:net";
import { webPorts } from "../../web/check-address.ts";
import { checkHost } from "../../web/check-url.ts";
import { isHostName, type ForwardTarget } from "../../web/read-target.ts";

/**
 * Hosts that a skill may name for its commands: `pypi.org` (ports 80 and 443), `files.example.org:8443` (that port alone),
 * `*.example.org` (exactly one more label in front, as in a certificate).
 */

const defaultPorts: readonly number[] = [80, 443];

/** A host as it is looked up and compared: small letters, no dot at the end, at least two labels, no address. */
function isPlainHostName(host: string): boolean {
  return host.includes(".") && isIP(host) === 0 && isHostName(host);
}

export type ParsedNetworkHost =
  | { readonly ok: true; readonly host: string }
  /** `problem` completes "this entry …". */
  | { readonly ok: false; readonly problem: string };

const fail = (problem: string): ParsedNetworkHost => ({ ok: false, problem });

/** Reads one entry of a skill's list into the one form that is shown, bound to an approval and compared. */
export function parseNetworkHost(source: string): ParsedNetworkHost {
  const [, given = "", portText] = /^([^:]*)(?::(\d{1,5}))?$/.exec(source.toLowerCase()) ?? [];
  if (/[\s/\\@?#[\]]/.test(source) || given === "") {
    return fail("must be a host name with a port at most, such as pypi.org or pypi.org:443; no address, path or user");
  }
  const port = portText === undefined ? undefined : Number(portText);
  if (port !== undefined && !webPorts.includes(port)) return fail(`must have one of the ports ${webPorts.join(", ")}`);
  const isGroup = given.startsWith("*.");
  const name = isGroup ? given.slice(2) : given;
  if (name.includes("*")) return fail("may have one * only, as the whole first label: *.example.org");
  if (/[^\p{ASCII}]/u.test(name)) return fail("must be written in its ASCII form (xn--…)");
  const labels = name.split(".");
  const last = labels.at(-1) ?? "";
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(last)) return fail("must be a name, not an address");
  if (labels.length < 2) return fail(isGroup ? "must have two labels after the *" : "must have a dot in it");
  if (!isPlainHostName(name)) return fail("is no host name");
  if (checkHost(name) !== undefined) return fail(`must be public; .${last} names belong to private networks`);
  return { ok: true, host: `${isGroup ? "*." : ""}${name}${port === undefined ? "" : `:${port}`}` };
}

/** Why a command with this list, of entries that `parseNetworkHost` made, may not reach the target. */
export function refuseTarget(hosts: readonly string[], target: ForwardTarget): string | undefined {
  if (isIP(target.host) !== 0) return "addresses are not reached, only hosts by their name";
  return isListed(hosts, target) ? undefined : `not one of the approved hosts (${hosts.join(", ")})`;
}

function isListed(hosts: readonly string[], { host, port }: ForwardTarget): boolean {
  return hosts.some((entry) => {
    const [name = "", only] = entry.split(":");
    if (only === undefined ? !defaultPorts.includes(port) : Number(only) !== port) return false;
    return name.startsWith("*.") ? host.slice(host.indexOf(".")) === name.slice(1) : host === name;
  });
}
