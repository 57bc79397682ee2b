import type { Logger } from "pino";
import { createWakeLoop } from "../../core/schedule/wake-loop.ts";
import type { Cluster } from "../../store/engines/open-cluster.ts";
import type { Signals } from "../../store/engines/postgres-signals.ts";
import {
  type ClusterNode,
  deleteNode,
  endTransactionsOfFrozen,
  type NodeReport,
  reportNode,
  silentMs,
} from "../../store/queries/nodes.ts";

/** The processes of the database, as each says of itself. */
export interface NodeWatch {
  start(): Promise<void>;
  list(): readonly ClusterNode[];
  /**
   * Whether the newest configuration is another one than this process's. Then it takes no work: two rules for the same
   * chats would close each other's questions.
   */
  isOutdated(): boolean;
  stop(): Promise<void>;
}

const reportEveryMs = 5_000;
const marginMs = 100;

/** The process whose rules are in force: it was the last to get them. */
function findNewest(nodes: readonly ClusterNode[]): ClusterNode | undefined {
  const [newest] = nodes.toSorted((one, other) => other.policySince - one.policySince);
  return newest;
}

/** The processes that take no work because of their rules. */
export function findOutdated(nodes: readonly ClusterNode[]): readonly ClusterNode[] {
  const newest = findNewest(nodes);
  return nodes.filter(({ policy }) => policy !== newest?.policy);
}

/** Whether its claims are given to others because of its silence. `now` is the time of the database. */
export function isSilent({ seenAt }: ClusterNode, now: number): boolean {
  return now - seenAt >= silentMs;
}

/** Why no process answers messages; undefined while one does. `now` is the time of the database. */
export function explainUnanswered(nodes: readonly ClusterNode[], now: number): string | undefined {
  const workers = nodes.filter(({ role }) => role !== "gateway");
  if (workers.length === 0) return "no process answers: start one with --role worker";
  const outdated = new Set(findOutdated(nodes));
  if (workers.some((node) => !outdated.has(node) && !isSilent(node, now))) return undefined;
  return "no process answers: each worker is silent, or has other rules than the newest process";
}

/** How long it takes until each of the others counts as silent, unless it reports itself. */
function listSilenceMs(nodes: readonly ClusterNode[], own: string): readonly number[] {
  const now = nodes.find(({ id }) => id === own)?.seenAt ?? 0;
  return nodes
    .filter(({ id }) => id !== own)
    .map(({ seenAt }) => seenAt + silentMs + marginMs - now)
    .filter((waitMs) => waitMs > 0);
}

export function watchNodes(parts: {
  readonly reports: Cluster["reports"];
  /** The report of this process on itself. */
  readonly describe: () => NodeReport;
  readonly signals: Pick<Signals, "send" | "on">;
  readonly log: Logger;
}): NodeWatch {
  const { reports, signals, log } = parts;
  let nodes: readonly ClusterNode[] = [];
  let outdated = false;
  let known = "";
  let hears = false;
  const loop = createWakeLoop({
    async look() {
      try {
        const report = parts.describe();
        nodes = await reportNode(reports, report);
        judge();
        tellOthers(report);
        const ended = await endTransactionsOfFrozen(reports);
        if (ended > 0) log.warn({ ended }, "transactions that a frozen process left open were ended");
        return Math.min(reportEveryMs, ...listSilenceMs(nodes, report.id));
      } catch (error) {
        log.warn({ err: error }, "this process could not report itself; trying again");
      }
      return reportEveryMs;
    },
  });

  /** The others look at once when this process came or changed, as they would only within seconds otherwise. */
  function tellOthers(report: NodeReport): void {
    // How many conversations it has changes all the time.
    const told = JSON.stringify({ ...report, sessions: 0 });
    if (told !== known) signals.send("node", report.id);
    known = told;
  }

  function judge(): void {
    const { id, policy } = parts.describe();
    const newest = findNewest(nodes);
    const isOther = newest !== undefined && newest.id !== id && newest.policy !== policy;
    if (isOther && !outdated)
      log.error(
        { newest: newest.place },
        "the configuration differs from that of the newest process: this one takes no work until they are the same",
      );
    if (!isOther && outdated) log.info("the configuration is that of the newest process again");
    outdated = isOther;
  }

  return {
    start() {
      if (!hears) signals.on("node", () => void loop.ring());
      hears = true;
      return loop.ring();
    },
    list: () => nodes,
    isOutdated: () => outdated,
    async stop() {
      await loop.stop();
      await deleteNode(reports, parts.describe().id).catch((error: unknown) => {
        log.warn({ err: error }, "the others learn of this process's end a little later");
      });
      signals.send("node", parts.describe().id);
    },
  };
}
