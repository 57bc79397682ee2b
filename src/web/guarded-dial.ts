import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { raceAbort } from "../core/abort.ts";
import { createAddressRule } from "./check-address.ts";
import { createGuardedLookup, type LookupOptions, type ResolvedAddress } from "./guarded-lookup.ts";

/** Thrown inside of transports, which take errors only; guarded-fetch.ts and the proxy turn it into words. */
export class RefusedByGuard extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "RefusedByGuard";
  }
}

/** Rejects with RefusedByGuard, or with the error of the network. */
export type GuardedDial = (host: string, port: number, signal?: AbortSignal) => Promise<Socket>;

/**
 * The only place that connects to an address a model, a page or a stranger named: the name is resolved once, only
 * checked addresses are dialled, and who answers is looked at again before a byte is sent.
 */
export function createGuardedDial(options: LookupOptions = {}): GuardedDial {
  const lookUp = createGuardedLookup(options);
  const mayReach = createAddressRule(options.allowAddress);

  return async (host, port, signal) => {
    // A system resolver cannot be stopped; it is left behind.
    const found = await (signal ? raceAbort(lookUp(host, port), signal) : lookUp(host, port));
    if (found.kind === "refused") throw new RefusedByGuard(found.reason);
    if (found.kind === "failed") throw new Error(found.reason);
    const socket = connectToAny(found.addresses, host, port);
    try {
      await once(socket, "connect", signal ? { signal } : {});
    } catch (error) {
      socket.destroy();
      throw error;
    }
    const { remoteAddress } = socket;
    if (remoteAddress !== undefined && mayReach(remoteAddress, port)) return socket;
    socket.destroy();
    throw new RefusedByGuard(`${host} led to an address that is not public; it cannot be opened.`);
  };
}

/** Node tries one address after the other; it gets them from us, so it asks no resolver. */
function connectToAny(addresses: readonly ResolvedAddress[], host: string, port: number): Socket {
  const [first] = addresses;
  if (addresses.length === 1 && first) return connect({ host: first.address, port });
  return connect({
    host,
    port,
    autoSelectFamily: true,
    lookup: (_host, _options, answer) => answer(null, [...addresses]),
  });
}
