import { hostname } from "node:os";
import type { Logger } from "pino";
import { reportFault } from "../cli/report-fault.ts";
import type { ConsoleChannel } from "../channels/own-chats/console-channel.ts";
import type { Channel } from "../channels/types.ts";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import type { KnownSecrets } from "../core/known-secrets.ts";
import { AppError } from "../core/errors.ts";
import { readProgramVersion } from "../core/program-version.ts";
import {
  type ChannelClaims,
  claimEveryChannel,
  hasOwnClients,
  shareChannels,
} from "../kernel/claims/channel-claims.ts";
import { createAskNodes } from "../kernel/claims/ask-nodes.ts";
import { describeCluster } from "../kernel/claims/describe-cluster.ts";
import { mountChannelCalls } from "../kernel/claims/mount-channel-calls.ts";
import { describeNodeAddress } from "../kernel/claims/node-address.ts";
import { reachChannel } from "../kernel/claims/reach-channel.ts";
import { reachClients } from "../kernel/claims/reach-clients.ts";
import { shareLiveViews } from "../kernel/turns/share-live-views.ts";
import type { ClaimCounts } from "../kernel/claims/leases.ts";
import { claimEverySession, type SessionClaims } from "../kernel/claims/session-claims.ts";
import { shareSessions } from "../kernel/claims/share-sessions.ts";
import { type NodeWatch, watchNodes } from "../kernel/claims/watch-nodes.ts";
import type { HttpServer } from "../kernel/http/http-server.ts";
import type { Readiness } from "../kernel/http/mount-readiness.ts";
import { createLiveWatch, type LiveWatch } from "../kernel/turns/live-watch.ts";
import { versionOf } from "../kernel/gate/permission.ts";
import { type OutboxReach, reachAll } from "../kernel/outbox/outbox.ts";
import type { Cluster } from "../store/engines/open-cluster.ts";
import { ensureClusterKey } from "../store/queries/cluster-key.ts";
import type { ClusterNode } from "../store/queries/nodes.ts";
import type { Store } from "../store/open-store.ts";

/** Another process hears of an answer to its client within milliseconds, unless it is frozen or just ended. */
const leaveMs = 3_000;

/** The work of this process, alone or beside others of the same database. */
export interface Claims {
  readonly claims: SessionClaims;
  readonly channelClaims: ChannelClaims;
  readonly reach: OutboxReach;
  readonly owns: (platform: string) => boolean;
  /** The given ones; beside others their calls go to the process that is connected to the platform. */
  readonly channels: readonly Channel[];
  /** The console's channel, as it is in that list. */
  readonly ownChats: ConsoleChannel;
  /** Shows running turns to the open pages of the console. */
  readonly liveWatch: LiveWatch;
  /** This process among the others, for /readyz. */
  readonly describeCluster: () => Readiness | undefined;
  /** A gateway leaves turns, and with them commands, to the workers. */
  readonly runsTurns: boolean;
  /** Only beside others. */
  readonly beside?: {
    readonly cluster: Cluster;
    readonly nodes: NodeWatch;
    readonly listSessions: () => readonly string[];
    /** Conversations and platforms together. */
    readonly counts: () => ClaimCounts;
  };
}

export async function assembleClaims(
  configuration: () => Configuration,
  parts: {
    readonly store: Store;
    readonly cluster?: Cluster;
    readonly channels: readonly Channel[];
    readonly ownChats: ConsoleChannel;
    readonly http: Pick<HttpServer, "app" | "port">;
    readonly secrets: Pick<KnownSecrets, "keep">;
    readonly clock: Clock;
    readonly log: Logger;
  },
): Promise<Claims> {
  const { channels, cluster, http, log, ownChats, store } = parts;
  const liveWatch = createLiveWatch(log);
  const platforms = [...new Set(channels.map(({ platform }) => platform))];
  if (cluster === undefined)
    return {
      claims: claimEverySession(),
      channelClaims: claimEveryChannel(platforms),
      reach: reachAll,
      owns: reachAll.owns,
      channels,
      ownChats,
      liveWatch,
      describeCluster: () => undefined,
      runsTurns: true,
    };
  const startedAt = parts.clock.now();
  const { node, queues, role, signals } = cluster;
  const claims = shareSessions({ ...parts, queue: await queues.open("session"), signals });
  const channelClaims = shareChannels({
    queue: await queues.open("channel"),
    platforms: role === "worker" ? platforms.filter(hasOwnClients) : platforms,
    // Others ask this process as soon as it is connected.
    onConnected: () => void nodes.start(),
    onTakenOver(platform) {
      const fault = new AppError(
        "DATABASE_BUSY",
        `Another process took over ${platform}, because this one was silent for too long. This one ends; start it again.`,
      );
      log.fatal({ err: fault }, "a platform was taken over");
      process.exit(reportFault(fault, false));
    },
    log,
  });
  const nodes = watchNodes({
    reports: cluster.reports,
    describe: () => ({
      id: node,
      role,
      place: `${hostname()}:${process.pid}`,
      address: describeNodeAddress(configuration().http.host, http.port()),
      version: readProgramVersion(),
      policy: versionOf(configuration().tools),
      sessions: claims.list().length,
      channels: channelClaims.list(),
    }),
    signals,
    log,
  });
  const reach: OutboxReach = {
    owns: channelClaims.owns,
    tell: (session) => signals.send("outbox", session),
    leaveMs: () => (nodes.list().length > 1 ? leaveMs : 0),
  };
  const { owns } = channelClaims;
  const key = await ensureClusterKey(store.main);
  parts.secrets.keep([key]);
  mountChannelCalls(http, { key, channels, owns });
  const ask = createAskNodes({ key, listAddresses: (platform) => listAddresses(nodes.list(), platform, node), log });
  const findAddress = (id: string) => nodes.list().find((one) => one.id === id)?.address || undefined;
  const reachedChats = reachClients(ownChats, ask);
  const reachOne = (channel: Channel): Channel => {
    if (channel === ownChats) return reachedChats;
    return hasOwnClients(channel.platform) ? reachClients(channel, ask) : reachChannel(channel, { owns, ask });
  };
  return {
    claims,
    channelClaims,
    reach,
    owns,
    channels: channels.map(reachOne),
    ownChats: reachedChats,
    liveWatch: shareLiveViews(liveWatch, { http, key, node, findAddress, signals, log }),
    describeCluster: () =>
      describeCluster({
        id: node,
        role,
        startedAt,
        nodes: nodes.list(),
        sessions: claims.list().length,
        isAlive: claims.isAlive(),
        isOutdated: nodes.isOutdated(),
      }),
    runsTurns: role !== "gateway",
    beside: {
      cluster,
      nodes,
      listSessions: claims.list,
      counts: () => addCounts(claims.counts(), channelClaims.counts()),
    },
  };
}

function addCounts(one: ClaimCounts, other: ClaimCounts): ClaimCounts {
  return {
    taken: one.taken + other.taken,
    takenAfterSilence: one.takenAfterSilence + other.takenAfterSilence,
    lost: one.lost + other.lost,
    silentMs: Math.max(one.silentMs, other.silentMs),
  };
}

/** The addresses of other processes, most recent report first: of those connected to the platform, or of all. */
function listAddresses(nodes: readonly ClusterNode[], platform: string | undefined, own: string): readonly string[] {
  return nodes
    .filter(({ address, id }) => id !== own && address !== "")
    .filter(({ channels }) => platform === undefined || channels.includes(platform))
    .toSorted((one, other) => other.seenAt - one.seenAt)
    .map(({ address }) => address);
}
