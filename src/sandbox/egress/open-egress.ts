import { once } from "node:events";
import { chmod, chown, mkdir, open, realpath, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { GuardedDial } from "../../web/guarded-dial.ts";
import type { ContainerIdentity } from "../container-identity.ts";
import type { NetworkReport } from "../types.ts";
import { createEgressProxy } from "./egress-proxy.ts";
import { createEgressRecord, type EgressLimits } from "./egress-record.ts";
import { egressPlace } from "./egress-place.ts";

/** What one command may reach, while it runs. */
export interface EgressGrant {
  /** Absolute folder that holds the proxy's socket and nothing else, for the container of this run alone. */
  readonly folder: string;
  report(): NetworkReport;
  /** Ends every connection and removes the folder. */
  close(): Promise<void>;
}

export interface Egress {
  /** `run` names the container; `hosts` as parseNetworkHost makes them. */
  open(run: string, session: string, hosts: readonly string[]): Promise<EgressGrant>;
  /** Removes what a process that died left behind. Only while no grant is open. */
  sweep(): Promise<void>;
}

const usualLimits: EgressLimits = { bytes: 512 * 1024 ** 2, connections: 1000, idleMs: 120_000 };
/** Bytes of a socket's address that every system takes. */
const longestPath = 100;

/** Opens a proxy with a socket of its own for each command that may reach hosts. */
export function createEgress(parts: {
  /** Folder of the grants' folders; made if it is not there. The engine's host must know it under the same path. */
  readonly root: string;
  readonly dial: GuardedDial;
  readonly log: Pick<Logger, "info">;
  /** Who commands run as, when the gateway is root and can give the socket away. */
  readonly owner?: ContainerIdentity;
  readonly limits?: Partial<EgressLimits>;
}): Egress {
  const { root, dial, log, owner } = parts;
  const limits = { ...usualLimits, ...parts.limits };

  async function makeFolder(run: string): Promise<string> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const folder = join(await realpath(root), run);
    // Not recursive: one that is there already is somebody else's.
    await mkdir(folder, { mode: 0o700 });
    return folder;
  }

  return {
    async open(run, session, hosts) {
      const folder = await makeFolder(run);
      const record = createEgressRecord({
        limits,
        about: { session, run },
        log,
        onExhausted: () => proxy.destroy(),
      });
      const proxy = createEgressProxy({ hosts, dial, limits, record });
      const handle = await open(folder, "r");
      const close = async (): Promise<void> => {
        const closed = proxy.server.listening ? once(proxy.server, "close") : undefined;
        proxy.server.close();
        proxy.destroy();
        await closed;
        await handle.close();
        await rm(folder, { recursive: true, force: true });
      };
      try {
        proxy.server.listen(shortenPath(folder, handle));
        await once(proxy.server, "listening");
        const socket = join(folder, egressPlace.socket);
        await chmod(socket, 0o600);
        if (owner !== undefined) for (const path of [socket, folder]) await chown(path, owner.uid, owner.gid);
      } catch (error) {
        await close();
        throw error;
      }
      return { folder, report: () => record.report(), close };
    },
    sweep: () => rm(root, { recursive: true, force: true }),
  };
}

/** By the open folder where the name itself is longer than a socket's address may be. */
function shortenPath(folder: string, handle: FileHandle): string {
  const path = join(folder, egressPlace.socket);
  const isShort = Buffer.byteLength(path) <= longestPath || process.platform !== "linux";
  return isShort ? path : `/proc/self/fd/${handle.fd}/${egressPlace.socket}`;
}
