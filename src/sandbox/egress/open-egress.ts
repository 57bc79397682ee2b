import { rm } from "node:fs/promises";
import type { Logger } from "pino";
import { createForwardProxy } from "../../web/forward-proxy.ts";
import type { GuardedDial } from "../../web/guarded-dial.ts";
import { createTrafficMeter, type TrafficLimits } from "../../web/traffic-meter.ts";
import { createEgressRecord, type NetworkReport } from "./egress-record.ts";
import { refuseTarget } from "./network-host.ts";
import { openSocketFolder, type SocketFolder, type SocketFolderPlace } from "./socket-folder.ts";

/** The hosts that one command may reach, while it runs; its folder is for the container of this run alone. */
export interface EgressGrant extends SocketFolder {
  report(): NetworkReport;
}

export interface Egress {
  /** `run` names the container; `hosts` as parseNetworkHost makes them. */
  open(run: string, session: string, hosts: readonly string[]): Promise<EgressGrant>;
  /** Removes what a process that died left behind. Only while no grant is open. */
  sweep(): Promise<void>;
}

export interface EgressLimits extends TrafficLimits {
  readonly idleMs: number;
}

const defaultLimits: EgressLimits = { bytes: 512 * 1024 ** 2, requests: 1000, idleMs: 120_000 };
const connectionsAtOnce = 48;

/** Opens a proxy with a socket of its own for each command that may reach hosts. */
export function createEgress(
  parts: SocketFolderPlace & {
    readonly dial: GuardedDial;
    readonly log: Pick<Logger, "info">;
    readonly limits?: Partial<EgressLimits>;
  },
): Egress {
  const { root, dial, log } = parts;
  const limits = { ...defaultLimits, ...parts.limits };

  return {
    async open(run, session, hosts) {
      const record = createEgressRecord({ about: { session, run }, log });
      const meter = createTrafficMeter(limits);
      const { idleMs } = limits;
      const proxy = createForwardProxy({
        dial,
        allow: (target) => refuseTarget(hosts, target),
        meter,
        record: (entry) => record.add(entry),
        connectionsAtOnce,
        idleMs,
      });
      const { folder, close } = await openSocketFolder(parts, run, proxy);
      return { folder, report: () => record.report(meter.isExhausted()), close };
    },
    sweep: () => rm(root, { recursive: true, force: true }),
  };
}
