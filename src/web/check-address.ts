import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Ports that web pages are served on. */
export const webPorts: readonly number[] = [80, 443, 8080, 8443];

/** May we connect to this address and port? */
export type AddressRule = (address: string, port: number) => boolean;

// Ranges of global unicast space that lead elsewhere: to IPv4 addresses of any kind, or nowhere.
const notPublic = ["2001::/23", "2002::/16", "3fff::/20", "64:ff9b::/96", "64:ff9b:1::/48"].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** The public internet by IANA's special-purpose registries; everything else, and what is no address, is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  // ipaddr.js takes ::1.2.3.4, which leads nowhere, for ::ffff:1.2.3.4.
  if (address.includes(":") && address.includes(".") && !/^::ffff:\d/i.test(address)) return false;
  // `process` turns IPv4-mapped addresses into IPv4.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  return parsed.match(globalUnicast) && !notPublic.some((range) => parsed.match(range));
}

/** `allowAddress` is for tests, whose sites are on this machine: the configuration cannot set it. */
export function createAddressRule(allowAddress?: AddressRule): AddressRule {
  return (address, port) =>
    (webPorts.includes(port) && isPublicAddress(address)) || allowAddress?.(address, port) === true;
}
