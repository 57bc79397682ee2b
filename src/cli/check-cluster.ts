import type { Configuration } from "../config.ts";
import { tables } from "../assembly/features.ts";
import { channelDefinitions } from "../channels/definitions/channel-definitions.ts";
import { describeError } from "../core/errors.ts";
import { hasOwnClients } from "../kernel/claims/channel-claims.ts";
import { explainUnanswered, findOutdated, isSilent } from "../kernel/claims/watch-nodes.ts";
import { toTerminalLine } from "../kernel/command-line/to-terminal-text.ts";
import type { Finding } from "../kernel/feature/finding.ts";
import { openStore } from "../store/open-store.ts";
import { type ClusterNode, listNodes, readDatabaseTime } from "../store/queries/nodes.ts";
import { measureWaiting } from "../store/queries/waiting-work.ts";

/** A message that is younger may only be on its way. */
const waitingMs = 5_000;
const maxClockDifferenceMs = 2_000;

/** The processes of a Postgres database, and what they leave undone. Nothing where none lives. */
export async function checkCluster(
  configuration: Pick<Configuration, "channels" | "home" | "store">,
): Promise<readonly Finding[]> {
  const { home, store: place } = configuration;
  if (place.url === undefined) return [];
  const check = "processes";
  try {
    const { main, close } = await openStore({ home, ...place }, tables);
    try {
      const nodes = await listNodes(main);
      if (nodes.length === 0) return [];
      const asked = Date.now();
      const now = await readDatabaseTime(main);
      const difference = (asked + Date.now()) / 2 - now;
      return [
        { check, state: "ok", detail: `${nodes.length} on this database` },
        ...nodes.map((node) => describeNode(node, now)),
        ...findUnheld(configuration, nodes),
        ...findUnanswered(nodes, now),
        describeWaiting(await measureWaiting(main, asked - waitingMs), asked),
        ...compareVersions(nodes),
        ...compareRules(nodes),
        ...compareClocks(difference),
      ];
    } finally {
      await close();
    }
  } catch (error) {
    return [{ check, state: "broken", detail: describeError(error) }];
  }
}

function describeNode(node: ClusterNode, now: number): Finding {
  const { channels, place, role, seenAt, sessions, version } = node;
  const check = toTerminalLine(`process ${place}`);
  const seconds = Math.max(0, Math.round((now - seenAt) / 1000));
  if (isSilent(node, now)) {
    const detail = `${role} ${version}, silent for ${seconds} s: others get its work`;
    return { check, state: "warning", detail: toTerminalLine(detail) };
  }
  const known = `${role} ${version}, seen ${seconds} s ago, conversations: ${sessions}`;
  return {
    check,
    state: "ok",
    detail: toTerminalLine(channels.length === 0 ? known : `${known}, connected to ${channels.join(", ")}`),
  };
}

function findUnheld({ channels }: Pick<Configuration, "channels">, nodes: readonly ClusterNode[]): readonly Finding[] {
  const held = new Set(nodes.flatMap((node) => node.channels));
  const unheld = channelDefinitions
    .filter(({ name, platform }) => channels[name] && !hasOwnClients(platform) && !held.has(platform))
    .map(({ platform }) => platform);
  if (unheld.length === 0) return [];
  const remedy = nodes.some(({ role }) => role !== "worker")
    ? "look into the log of a gateway"
    : "start a process with --role gateway";
  return [
    { check: "platforms", state: "broken", detail: `no process is connected to ${unheld.join(", ")}: ${remedy}` },
  ];
}

function findUnanswered(nodes: readonly ClusterNode[], now: number): readonly Finding[] {
  const detail = explainUnanswered(nodes, now);
  return detail === undefined ? [] : [{ check: "workers", state: "broken", detail }];
}

function describeWaiting({ conversations, since }: Awaited<ReturnType<typeof measureWaiting>>, now: number): Finding {
  const check = "conversations";
  if (since === undefined) return { check, state: "ok", detail: "no message has waited for 5 s" };
  const detail = `waiting for 5 s or more: ${conversations}, the oldest for ${Math.round((now - since) / 1000)} s`;
  return { check, state: "warning", detail };
}

function compareVersions(nodes: readonly ClusterNode[]): readonly Finding[] {
  const versions = [...new Set(nodes.map(({ version }) => version))];
  if (versions.length < 2) return [];
  const detail = `the processes run different versions: ${versions.join(", ")}; restart the older ones`;
  return [{ check: "versions", state: "warning", detail: toTerminalLine(detail) }];
}

function compareRules(nodes: readonly ClusterNode[]): readonly Finding[] {
  const outdated = findOutdated(nodes);
  if (outdated.length === 0) return [];
  const places = outdated.map(({ place }) => place).join(", ");
  const detail = `other rules than the newest process has, so no work is taken there: ${places}; give every machine the same config/`;
  return [{ check: "rules", state: "warning", detail: toTerminalLine(detail) }];
}

function compareClocks(differenceMs: number): readonly Finding[] {
  if (Math.abs(differenceMs) <= maxClockDifferenceMs) return [];
  const seconds = (Math.abs(differenceMs) / 1000).toFixed(1);
  const side = differenceMs > 0 ? "ahead of" : "behind";
  const detail = `this machine is ${seconds} s ${side} the database: let NTP set both`;
  return [{ check: "clock", state: "warning", detail }];
}
