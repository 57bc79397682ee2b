// A worker of the queue bench as a process of its own, so that it can be killed and frozen.
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { pino } from "pino";
import { tables } from "../../src/assembly/features.ts";
import { systemClock } from "../../src/core/clock.ts";
import { shareSessions } from "../../src/kernel/claims/share-sessions.ts";
import { openCluster } from "../../src/store/engines/open-cluster.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createClaimWorker, type NotedClaim } from "./claim-worker.ts";

/** The orders for the process, as JSON in SCALE_WORKER. */
export interface ClaimWorkerOrders {
  readonly url: string;
  readonly maxTurns: number;
  readonly pauseMs: number;
}

/** What happened in the process since its last report; the first one says that it is ready. */
export interface ClaimWorkerReport {
  readonly claims: readonly NotedClaim[];
  readonly refused: number;
  readonly faults: number;
}

const reportEveryMs = 250;

const given = process.env["SCALE_WORKER"];
if (given !== undefined) await run(JSON.parse(given) as ClaimWorkerOrders);

async function run({ url, maxTurns, pauseMs }: ClaimWorkerOrders): Promise<void> {
  const log = pino({ level: "error" }, process.stderr);
  let [noted, refused, faults]: [NotedClaim[], number, number] = [[], 0, 0];
  const onTrouble = (error: unknown): void => {
    faults += 1;
    log.error({ err: error }, "a fault of the store");
  };
  const store = await openStore({ home: tmpdir(), url }, tables);
  const cluster = await openCluster({
    url,
    db: store.main,
    node: randomUUID(),
    role: "worker",
    isAlone: false,
    onTrouble,
  });
  const { node, queues, signals } = cluster;
  const claims = shareSessions({ queue: await queues.open("session"), signals, store, clock: systemClock, log });
  const worker = createClaimWorker({
    store,
    claims,
    signals,
    node,
    maxTurns,
    pauseMs,
    onClaim: (claim) => noted.push(claim),
    onRefused: () => (refused += 1),
    onFault: onTrouble,
  });
  await claims.start(worker);
  const report = (): void => {
    process.send?.({ claims: noted, refused, faults } satisfies ClaimWorkerReport);
    [noted, refused, faults] = [[], 0, 0];
  };
  report();
  setInterval(report, reportEveryMs);
  process.on("disconnect", () => process.exit());
}
