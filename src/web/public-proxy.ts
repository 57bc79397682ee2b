import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { checkUrl } from "./check-url.ts";
import { createForwardProxy, type ForwardProxy, type ForwardRecord } from "./forward-proxy.ts";
import { createGuardedDial } from "./guarded-dial.ts";
import type { LookupOptions } from "./guarded-lookup.ts";
import { createTrafficMeter, type TrafficLimits } from "./traffic-meter.ts";

const connectionsAtOnce = 200;
const idleMs = 120_000;

/** A forward proxy to every public site, and to nothing else. */
export function createPublicProxy({
  limits,
  record = () => undefined,
  ...lookup
}: LookupOptions & {
  readonly limits: TrafficLimits;
  readonly record?: (entry: ForwardRecord) => void;
}): ForwardProxy {
  const anyPort = lookup.allowAddress !== undefined;
  return createForwardProxy({
    dial: createGuardedDial(lookup),
    allow({ host, port }) {
      const checked = checkUrl(`http://${host.includes(":") ? `[${host}]` : host}:${port}/`, { anyPort });
      return checked.ok ? undefined : checked.reason;
    },
    meter: createTrafficMeter(limits),
    record,
    connectionsAtOnce,
    idleMs,
  });
}

/** Lets it listen on a free port of 127.0.0.1, and answers which. */
export async function listenOnLoopback({ server }: ForwardProxy): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
