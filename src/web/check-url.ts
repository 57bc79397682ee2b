import { webPorts } from "./check-address.ts";

/**
 * Judges an address before its name is looked up. Sources: OWASP's SSRF prevention cheat sheet; RFC 6761,
 * RFC 6762 and RFC 8375 for names that never leave the own network.
 */
export type CheckedUrl =
  | { readonly ok: true; readonly url: URL }
  /** A sentence for the model or the person. */
  | { readonly ok: false; readonly reason: string };

const maxLength = 4096;
const localNames =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|lan|home|corp|home\.arpa|onion|test|invalid|alt)$/;

/** `anyPort` leaves the port to the check of the address (check-address.ts); it is set where a test has a rule of its own. */
export function checkUrl(
  address: string,
  { base, anyPort = false }: { readonly base?: URL; readonly anyPort?: boolean } = {},
): CheckedUrl {
  if (address.length > maxLength) return refuse("The address is too long; give a shorter one.");
  // Decimal, octal, hexadecimal and full-width notations all become the dotted form here.
  const url = URL.parse(address, base?.href);
  if (url === null) return refuse("This is not an address; write it like https://example.com/page.");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return refuse("Only addresses that start with http:// or https:// can be opened.");
  }
  if (url.username !== "" || url.password !== "") {
    return refuse("Addresses with a user name or password in them are not opened; leave that part out.");
  }
  const port = portOf(url);
  if (!anyPort && !webPorts.includes(port)) {
    return refuse(`Port ${port} is not a port of web pages; only ${webPorts.join(", ")} can be opened.`);
  }
  return checkHost(hostOf(url)) ?? { ok: true, url };
}

/** Names only; the addresses behind an address literal or a name are checked when it is dialled. */
export function checkHost(host: string): { readonly ok: false; readonly reason: string } | undefined {
  if (host.includes(":")) return undefined;
  if (!host.includes(".") || localNames.test(host)) {
    return refuse(`${host || "An empty name"} is a name inside a private network; only public sites can be opened.`);
  }
  return undefined;
}

/** The name or address literal without brackets and final dot. */
export function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
}

export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" || url.protocol === "wss:" ? 443 : 80;
}

function refuse(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
