import { countOf } from "../../core/words/count-of.ts";
import type { ClusterNode } from "../../store/queries/nodes.ts";
import type { Readiness } from "../http/mount-readiness.ts";
import { explainUnanswered } from "./watch-nodes.ts";

/** This process among those of its database, for /readyz. */
export function describeCluster(facts: {
  readonly id: string;
  readonly role: string;
  readonly startedAt: number;
  /** As they were at the last report of this process. */
  readonly nodes: readonly ClusterNode[];
  /** Conversations that it holds. */
  readonly sessions: number;
  readonly isAlive: boolean;
  readonly isOutdated: boolean;
}): Readiness {
  const { id, isAlive, isOutdated, nodes, role, sessions } = facts;
  const works = isAlive && !isOutdated;
  // Before its first report a process knows of none, and while it fails only of itself.
  const own = nodes.find((node) => node.id === id);
  const unanswered = works && own ? explainUnanswered(nodes, own.seenAt) : undefined;
  return {
    state: !works ? "failed" : unanswered === undefined ? "ready" : "degraded",
    since: facts.startedAt,
    detail: [
      `${role}, one of ${countOf(nodes.length, "process", "processes")}`,
      `${countOf(sessions, "conversation", "conversations")} here`,
      ...(isAlive ? [] : ["silent: the database did not take a sign of life for 8 s"]),
      ...(isOutdated ? ["takes no work: the newest process has another configuration"] : []),
      ...(unanswered === undefined ? [] : [unanswered]),
    ].join(", "),
  };
}
