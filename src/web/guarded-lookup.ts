import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { describeError } from "../core/errors.ts";
import { createAddressRule, type AddressRule } from "./check-address.ts";
import { checkHost } from "./check-url.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Every address of a name, as the system resolves it. Rejects when there is none. */
type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface LookupOptions {
  /** Default: the system's resolver, with its hosts file. */
  readonly resolve?: Resolve;
  /** For tests only: addresses that may be reached in addition to the public ones. */
  readonly allowAddress?: AddressRule;
}

type Lookup =
  | { readonly kind: "found"; readonly addresses: readonly ResolvedAddress[] }
  /** May not be reached. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Could not be found out. */
  | { readonly kind: "failed"; readonly reason: string };

/** `host` is a name or an address without brackets. */
export type GuardedLookup = (host: string, port: number) => Promise<Lookup>;

/**
 * Resolves a name once, and answers its addresses only if every one of them may be reached: one private address among
 * public ones is how a private address is smuggled in. The caller must connect to these addresses, never to the name.
 */
export function createGuardedLookup({ resolve = resolveBySystem, allowAddress }: LookupOptions = {}): GuardedLookup {
  const mayReach = createAddressRule(allowAddress);

  return async (host, port) => {
    const wrongName = checkHost(host);
    if (wrongName) return { kind: "refused", reason: wrongName.reason };
    const family = isIP(host);
    const addresses = family === 0 ? await resolveOrFail(host) : [{ address: host, family }];
    if (typeof addresses === "string") return { kind: "failed", reason: addresses };
    if (addresses.length === 0) return { kind: "failed", reason: `${host} has no address; check the name.` };
    if (addresses.every(({ address }) => mayReach(address, port))) return { kind: "found", addresses };
    return {
      kind: "refused",
      reason: `${host} is not a public site, or port ${port} is not one of web pages; it cannot be opened.`,
    };
  };

  async function resolveOrFail(host: string): Promise<readonly ResolvedAddress[] | string> {
    try {
      return await resolve(host);
    } catch (error) {
      return `${host} was not found (${describeError(error)}); check the name.`;
    }
  }
}

function resolveBySystem(host: string): Promise<readonly ResolvedAddress[]> {
  return lookup(host, { all: true, verbatim: true });
}
