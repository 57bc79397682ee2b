import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { raceAbort } from "../core/abort.ts";
import { createAddressRule } from "./check-address.ts";
import { createGuardedLookup, type LookupOptions, type ResolvedAddress } from "./guarded-lookup.ts";
import { findProxy } from "./outbound-proxy.ts";
import type { ProxyPlace } from "./proxy-settings.ts";
import { openTunnel, ProxyFailure } from "./proxy-tunnel.ts";

/** Thrown inside of transports, which take errors only; guarded-fetch.ts and the proxy turn it into words. */
export class RefusedByGuard extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "RefusedByGuard";
  }
}

/** The ports of webPorts where TLS is spoken. */
const securePorts: readonly number[] = [443, 8443];
const needsNames =
  "With a proxy, too, names are looked up here, so that no proxy can lead to a private address: this machine needs a DNS that knows public names.";

/** Rejects with RefusedByGuard, or with the error of the network. */
export type GuardedDial = (host: string, port: number, signal?: AbortSignal) => Promise<Socket>;

/**
 * The only place that connects to an address a model, a page or a stranger named: the name is resolved once, only
 * checked addresses are dialled, and who answers is looked at again before a byte is sent. A proxy of the environment is asked
 * for the checked addresses alone: a name it could resolve to a private one.
 */
export function createGuardedDial(options: LookupOptions = {}): GuardedDial {
  const lookUp = createGuardedLookup(options);
  const mayReach = createAddressRule(options.allowAddress);

  return async (host, port, signal) => {
    // A system resolver cannot be stopped; it is left behind.
    const found = await (signal ? raceAbort(lookUp(host, port), signal) : lookUp(host, port));
    if (found.kind === "refused") throw new RefusedByGuard(found.reason);
    const proxy = findProxy({ host, port, secure: securePorts.includes(port) });
    if (found.kind === "failed") throw new Error(proxy ? `${found.reason} ${needsNames}` : found.reason);
    if (proxy) return tunnelToAny(proxy, found.addresses, port, signal);
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

/** Tries one checked address after the other, until the proxy reaches one. */
async function tunnelToAny(
  proxy: ProxyPlace,
  addresses: readonly ResolvedAddress[],
  port: number,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  let failure: unknown;
  for (const { address } of addresses) {
    try {
      return await openTunnel(proxy, { host: address, port }, signal);
    } catch (error) {
      failure = error;
      // Only what it says of this one address leaves hope for another one.
      const isItsAnswer = error instanceof ProxyFailure && error.status !== undefined && error.status !== 407;
      if (!isItsAnswer) break;
    }
  }
  throw failure;
}
