import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { tables } from "../../src/assembly/features.ts";
import { openCluster } from "../../src/store/engines/open-cluster.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { percentile } from "../statistics.ts";
import { createClaimWorkers } from "./claim-workers.ts";
import { findServerCpu, readOwnCpu } from "./open-server.ts";
import { openPlatforms } from "./platforms.ts";
import type { Talk, TallyCounts } from "./tally.ts";
import { createTroubles, type TroublePlan } from "./troubles.ts";

export interface QueueSize extends Talk, TroublePlan {
  readonly workers: number;
  /** Turns at once in a worker. */
  readonly maxTurns: number;
  readonly pauseMs: number;
}

export interface QueueFigures extends TallyCounts {
  readonly sessions: number;
  readonly seconds: number;
  /** Of these, nothing new was said, because a trouble was due and another one had not ended. */
  readonly heldBackSeconds: number;
  readonly kills: number;
  readonly freezes: number;
  /** Late writes of an earlier holder that the token of a turn refused. */
  readonly refused: number;
  /** Faults that the store reported to a worker. */
  readonly faults: number;
  /** From the storing of a message to the claim of its conversation, which no process held. */
  readonly claimMs: readonly number[];
  /** From a kill or a freeze to the claim of a conversation that waited. */
  readonly takeoverMs: readonly number[];
  readonly walBytes: number;
  readonly growthBytes: number;
  /** Processor milliseconds for each message. */
  readonly cpuMs: { readonly postgres: number; readonly workers: number; readonly platforms: number };
}

const surplusMs = 1_000;
const tellEveryMs = 15_000;

/** Messages over conversations through the real intake, claims, fences and outbox, while workers are killed and frozen. */
export async function measureQueue(
  url: string,
  size: QueueSize,
  note: (text: string) => void = () => undefined,
): Promise<QueueFigures> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "kurisu-scale-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const log = pino({ level: "error" }, process.stderr);
  const onTrouble = (error: unknown): void => log.error({ err: error }, "a fault of the store");
  const { maxTurns, pauseMs } = size;
  const workers = createClaimWorkers(size.workers, folder, { url, maxTurns, pauseMs });
  stack.defer(() => workers.end());
  await workers.start();
  const store = await openStore({ home: folder, url }, tables);
  stack.defer(() => store.close());
  const cluster = await openCluster({
    url,
    db: store.main,
    node: randomUUID(),
    role: "gateway",
    isAlone: false,
    onTrouble,
  });
  stack.defer(() => cluster.close());
  const troubles = createTroubles(workers, size.workers, size, note);
  const platforms = await openPlatforms({ store, cluster, talk: size, mayGoOn: troubles.mayGoOn, log });
  stack.defer(() => platforms.close());
  const telling = setInterval(() => {
    const { said, sent } = platforms.tally.counts();
    note(`${said} messages said, ${sent} answered`);
  }, tellEveryMs);
  stack.defer(() => clearInterval(telling));

  const readServerCpu = await findServerCpu(url);
  const read = async () => ({
    ...(await readSizes(store)),
    server: readServerCpu(),
    workers: workers.cpu(),
    own: readOwnCpu(),
  });
  const before = await read();
  const began = performance.now();
  await platforms.run();
  const seconds = (performance.now() - began) / 1_000;
  const after = await read();
  await troubles.end();
  // A second answer comes a little later.
  await pause(surplusMs);

  const counts = platforms.tally.counts();
  const { claims, faults, refused } = workers.heard;
  const { heldBackMs, kills, freezes } = troubles.counts;
  return {
    ...counts,
    sessions: size.sessions,
    seconds,
    heldBackSeconds: heldBackMs / 1_000,
    kills,
    freezes,
    refused,
    faults,
    claimMs: claims.flatMap(({ afterSilence, waitedMs }) => (afterSilence ? [] : [waitedMs])),
    takeoverMs: troubles.listTakeovers(claims),
    walBytes: (after.wal - before.wal) / counts.said,
    growthBytes: (after.size - before.size) / counts.said,
    cpuMs: {
      postgres: (after.server - before.server) / counts.said,
      workers: (after.workers - before.workers) / counts.said,
      platforms: (after.own - before.own) / counts.said,
    },
  };
}

/** Nothing was lost, answered twice or out of order. */
export function isKept({ lost, doubled, reordered }: TallyCounts): boolean {
  return lost + doubled + reordered === 0;
}

async function readSizes({ main }: Store): Promise<{ readonly wal: number; readonly size: number }> {
  const { rows } = await sql<{ wal: string; size: number }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal, pg_database_size(current_database()) as size`.execute(
    main,
  );
  return { wal: Number(rows[0]?.wal), size: Number(rows[0]?.size) };
}

export function printQueue(figures: QueueFigures): void {
  const { claimMs, cpuMs, takeoverMs } = figures;
  const both = (values: readonly number[], divisor: number, digits: number): string =>
    [0.5, 0.95].map((part) => (percentile(values, part) / divisor).toFixed(digits)).join(" / ");
  const rows: readonly (readonly [what: string, value: string])[] = [
    ["messages, conversations", `${figures.said}, ${figures.sessions}`],
    ["lost, out of order, doubled", `${figures.lost}, ${figures.reordered}, ${figures.doubled}`],
    ["workers killed, frozen", `${figures.kills}, ${figures.freezes}`],
    ["late writes refused", String(figures.refused)],
    ["faults of the store at a worker", String(figures.faults)],
    ["messages a second", (figures.said / (figures.seconds - figures.heldBackSeconds)).toFixed(0)],
    [
      "seconds; of these held back for the next trouble",
      `${figures.seconds.toFixed(0)}; ${figures.heldBackSeconds.toFixed(0)}`,
    ],
    [`from stored to claimed, p50 / p95 ms (${claimMs.length} claims)`, both(claimMs, 1, 0)],
    [`from a kill or freeze to the next claim, p50 / p95 s (${takeoverMs.length})`, both(takeoverMs, 1_000, 1)],
    ["write-ahead log a message, kB", (figures.walBytes / 1_000).toFixed(1)],
    ["growth of the database a message, kB", (figures.growthBytes / 1_000).toFixed(1)],
    [
      "processor a message, ms: Postgres, workers, platforms",
      [cpuMs.postgres, cpuMs.workers, cpuMs.platforms].map((value) => value.toFixed(2)).join(", "),
    ],
  ];
  console.log("| the claim queue | |\n|---|---|");
  for (const [what, value] of rows) console.log(`| ${what} | ${value} |`);
}
