import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type MeasuredProcess, startMeasured } from "../floor/measured-process.ts";
import type { NotedClaim } from "./claim-worker.ts";
import type { ClaimWorkerOrders, ClaimWorkerReport } from "./claim-worker-process.ts";

/** The workers of the queue bench. */
export interface ClaimWorkers {
  start(): Promise<void>;
  /** kill -9, and a start. */
  kill(index: number): Promise<void>;
  signal(index: number, name: "SIGSTOP" | "SIGCONT"): void;
  /** From all workers so far. */
  readonly heard: { readonly claims: NotedClaim[]; refused: number; faults: number };
  cpu(): number;
  end(): Promise<void>;
}

const patienceMs = 60_000;

export function createClaimWorkers(count: number, folder: string, orders: ClaimWorkerOrders): ClaimWorkers {
  const heard: ClaimWorkers["heard"] = { claims: [], refused: 0, faults: 0 };
  const workers: (MeasuredProcess | undefined)[] = Array.from({ length: count });
  const log = join(folder, "workers.log");
  let spentMs = 0;

  async function startOne(index: number): Promise<void> {
    let isReady = false;
    const { PATH = "", HOME = "", TMPDIR = tmpdir() } = process.env;
    const worker = startMeasured({
      command: [process.execPath, join(import.meta.dirname, "claim-worker-process.ts")],
      environment: { PATH, HOME, TMPDIR, SCALE_WORKER: JSON.stringify(orders) },
      log,
      hear(message) {
        const { claims, faults, refused } = message as ClaimWorkerReport;
        isReady = true;
        heard.claims.push(...claims);
        heard.refused += refused;
        heard.faults += faults;
      },
    });
    workers[index] = worker;
    for (const began = performance.now(); !isReady; await pause(20))
      if (!worker.isRunning() || performance.now() - began > patienceMs)
        throw new Error(`a worker did not start:\n${readFileSync(log, "utf8").slice(-4_000)}`);
  }

  async function endOne(index: number): Promise<void> {
    const worker = workers[index];
    workers[index] = undefined;
    spentMs += worker?.cpu() ?? 0;
    await worker?.stop("SIGKILL");
  }

  return {
    async start() {
      // The first one makes the tables.
      await startOne(0);
      await Promise.all(workers.slice(1).map((_, index) => startOne(index + 1)));
    },
    async kill(index) {
      await endOne(index);
      await startOne(index);
    },
    signal: (index, name) => workers[index]?.signal(name),
    heard,
    cpu: () => workers.reduce((sum, worker) => sum + (worker?.cpu() ?? 0), spentMs),
    async end() {
      await Promise.all(workers.map((_, index) => endOne(index)));
    },
  };
}
