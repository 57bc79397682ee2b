import type { Logger } from "pino";
import { isOwnPlatform } from "../../core/own-platforms.ts";
import type { ClaimQueue } from "../../store/engines/claim-queue.ts";
import { type ClaimCounts, createLeases } from "./leases.ts";

/** The chat platforms that this process is connected to, and sends the messages of. */
export interface ChannelClaims {
  /** Whether this process sends what waits for the platform. */
  owns(platform: string): boolean;
  list(): readonly string[];
  /** Connects to each platform that is this process's, now or later. */
  start(connect: (platform: string) => Promise<void>): Promise<void>;
  /** Connects to no further platform. */
  close(): void;
  /** Gives back all. The connections have ended. */
  stop(): Promise<void>;
}

export interface SharedChannels extends ChannelClaims {
  counts(): ClaimCounts;
}

/** Each process has clients of its own there: terminals, pages, requests. It answers those and no others. */
export const hasOwnClients = (platform: string): boolean => isOwnPlatform(platform) || platform === "api";

export function claimEveryChannel(platforms: readonly string[]): ChannelClaims {
  return {
    owns: () => true,
    list: () => platforms,
    async start(connect) {
      for (const platform of platforms) await connect(platform);
    },
    close: () => undefined,
    stop: async () => undefined,
  };
}

const offerEveryMs = 5_000;
const recoverMs = 15_000;

/** One process is connected to a platform; the others stand by. */
export function shareChannels(parts: {
  readonly queue: ClaimQueue;
  /** The platforms that the configuration names. */
  readonly platforms: readonly string[];
  readonly onConnected: (platform: string) => void;
  /** A platform that this process was connected to belongs to another one by now. This one must end. */
  readonly onTakenOver: (platform: string) => void;
  readonly log: Logger;
}): SharedChannels {
  const { queue, log } = parts;
  const shared = parts.platforms.filter((platform) => !hasOwnClients(platform));
  const connected = new Set<string>();
  let closed = false;
  const losses = new Map<string, NodeJS.Timeout>();
  let connect: (platform: string) => Promise<void> = async () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const isHeld = (platform: string) => leases.list().includes(platform);

  const leases = createLeases({
    queue,
    room: () => (closed ? 0 : shared.filter((platform) => !isHeld(platform)).length),
    onTaken: (platform) => void begin(platform),
    onLost(platform) {
      // A database that was away longer than a heartbeat frees every claim; usually this process has it back at once.
      const end = setTimeout(() => parts.onTakenOver(platform), recoverMs);
      losses.set(platform, end.unref());
    },
    log,
  });

  async function begin(platform: string): Promise<void> {
    if (closed || !shared.includes(platform)) return leases.giveBack(platform);
    clearTimeout(losses.get(platform));
    losses.delete(platform);
    if (connected.has(platform)) return undefined;
    connected.add(platform);
    try {
      await connect(platform);
      parts.onConnected(platform);
    } catch (error) {
      log.error({ err: error, platform }, "a platform could not be connected to; another process may try");
      connected.delete(platform);
      await leases.giveBack(platform);
    }
    return undefined;
  }

  const offerAll = () => shared.filter((platform) => !isHeld(platform)).forEach(leases.offer);

  return {
    owns: (platform) => hasOwnClients(platform) || leases.holds(platform),
    list: () => leases.list(),
    counts: leases.counts,
    async start(given) {
      connect = given;
      for (const platform of parts.platforms) if (hasOwnClients(platform)) await given(platform);
      leases.start();
      offerAll();
      timer = setInterval(offerAll, offerEveryMs).unref();
    },
    close() {
      closed = true;
    },
    async stop() {
      clearInterval(timer);
      for (const end of losses.values()) clearTimeout(end);
      await leases.stop();
    },
  };
}
