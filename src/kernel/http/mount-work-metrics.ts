import type { HttpRoutes } from "../../channels/http-routes.ts";
import { describeCounter, describeGauge, mountSection, type Family } from "./metrics-page.ts";
import { withinTime } from "./within-time.ts";

/** The work that waits, and the part of it that this process holds. */
export interface WorkMeasures {
  /** Over the whole database. */
  readonly waiting: () => Promise<WaitingMeasures>;
  /** Undefined where this process works alone. */
  readonly cluster: () => ClusterMeasures | undefined;
}

interface WaitingMeasures {
  readonly isPaused: boolean;
  readonly outbox: number;
  /** Conversations with a message that no process has begun. */
  readonly conversations: number;
  readonly oldestMs: number;
}

interface ClusterMeasures {
  readonly nodes: number;
  readonly sessions: number;
  readonly taken: number;
  readonly takenAfterSilence: number;
  readonly lost: number;
  readonly silentMs: number;
}

const limitMs = 2_000;

/** The metrics of `GET /metrics` about work. A database that does not answer takes only its own metrics away. */
export function mountWorkMetrics(http: Pick<HttpRoutes, "app">, { waiting, cluster }: WorkMeasures): void {
  mountSection(http, async () => {
    const measured = await withinTime(
      waiting().catch(() => undefined),
      limitMs,
    );
    const held = cluster();
    return [...(measured ? describeWaiting(measured) : []), ...(held ? describeCluster(held) : [])];
  });
}

function describeWaiting({ isPaused, outbox, conversations, oldestMs }: WaitingMeasures): readonly Family[] {
  return [
    describeGauge("kurisu_paused", "1 while everything is paused by /stop all, else 0.", Number(isPaused)),
    describeGauge("kurisu_outbox_pending", "Messages of the database that are to be sent.", outbox),
    describeGauge(
      "kurisu_inbox_waiting_conversations",
      "Conversations of the database with a message that no process has begun.",
      conversations,
    ),
    describeGauge(
      "kurisu_inbox_waiting_seconds",
      "Age of the oldest message of the database that no process has begun; 0 when there is none.",
      oldestMs / 1000,
    ),
  ];
}

function describeCluster(measures: ClusterMeasures): readonly Family[] {
  const { taken, takenAfterSilence } = measures;
  return [
    describeGauge("kurisu_cluster_nodes", "Living processes of the database.", measures.nodes),
    describeGauge("kurisu_sessions_held", "Conversations that this process holds.", measures.sessions),
    describeCounter("kurisu_claims_taken_total", "Conversations and platforms that this process took.", [
      { labels: { after_silence: "true" }, value: takenAfterSilence },
      { labels: { after_silence: "false" }, value: taken - takenAfterSilence },
    ]),
    describeCounter("kurisu_claims_lost_total", "Claims that this process lost because it was silent.", [
      { value: measures.lost },
    ]),
    describeGauge(
      "kurisu_heartbeat_age_seconds",
      "Since the database last took this process's sign of life; at 10 its claims go to others.",
      measures.silentMs / 1000,
    ),
  ];
}
