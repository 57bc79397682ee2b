import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFreePort } from "../../tests/support/kurisu-process/find-free-port.ts";
import { openGround } from "../floor.ts";
import { type MeasuredProcess, startMeasured } from "../floor/measured-process.ts";
import { createPeople, type Faults } from "../floor/people.ts";
import { openKurisu, type Ground, type Subject } from "../floor/subjects.ts";
import { median } from "../statistics.ts";
import { type CreateDatabase, findServerCpu, readOwnCpu } from "./open-server.ts";

export interface WorkersSize {
  readonly chats: number;
  readonly sentences: number;
  /** Until the model answers. */
  readonly modelMs: number;
  readonly slots: number;
  /** So few turns at once that the model is the limit and not the processor. */
  readonly fewSlots: number;
}

/** One burst with so many workers. */
interface Phase {
  readonly workers: number;
  readonly perSecond: number;
  /** Of one core, by process. */
  readonly cpu: Readonly<Record<string, number>>;
}

interface Setting {
  readonly slots: number;
  readonly phases: readonly Phase[];
  readonly faults: Faults;
}

/** One worker, two, and the same once more. */
const courses = [1, 2, 1, 2];
/** A conversation that is quiet for 15 s is given back, and a process notices within 5 s that another came or went. */
const quietMs = 21_000;
const warmUpSentences = 2;
const patienceMs = 90_000;
const leastRatio = 1.6;
const root = join(import.meta.dirname, "..", "..");

/**
 * A gateway and one or two workers of the product on one database, a Telegram stand-in without limits and a model that
 * takes its time: each chat says all its sentences at once. Before each burst every conversation is given back, so that
 * the workers share them anew.
 */
export async function measureWorkers(
  stack: AsyncDisposableStack,
  createDatabase: CreateDatabase,
  size: WorkersSize,
): Promise<boolean> {
  const ground = await openGround(stack, 0, size.modelMs);
  const settings: Setting[] = [];
  for (const slots of [size.slots, size.fewSlots])
    settings.push(await measureSetting(ground, (await createDatabase()).url, size, slots));
  for (const setting of settings) printSetting(setting);
  const few = settings.at(-1);
  const ratio = few === undefined ? Number.NaN : compareWorkers(few);
  console.log(`Two workers of ${size.fewSlots} slots: ${ratio.toFixed(2)} times as many (at least ${leastRatio}).`);
  return ratio >= leastRatio && settings.every(({ faults }) => faults.lost + faults.doubled + faults.reordered === 0);
}

async function measureSetting(ground: Ground, url: string, size: WorkersSize, slots: number): Promise<Setting> {
  await using stack = new AsyncDisposableStack();
  const chats = Array.from({ length: size.chats }, (_, index) => 1_001 + index);
  const name = `${slots} slots`;
  const options = { name, databaseUrl: url, role: "gateway" as const, maxTurns: slots, people: chats };
  const subject = await openKurisu(ground, options);
  const gateway = await subject.start();
  stack.defer(() => gateway.stop());
  const people = createPeople(subject.fake);
  const readServerCpu = await findServerCpu(url);
  const workers: MeasuredProcess[] = [];
  stack.defer(async () => {
    for (const worker of workers) await worker.stop();
  });

  const readCpu = (): Readonly<Record<string, number>> => ({
    gateway: gateway.cpu(),
    "worker 1": workers[0]?.cpu() ?? 0,
    "worker 2": workers[1]?.cpu() ?? 0,
    Postgres: readServerCpu(),
    "Telegram stand-in": readOwnCpu(),
  });

  async function measurePhase(count: number): Promise<Phase> {
    console.error(`${name}, ${count === 1 ? "one worker" : "two workers"} …`);
    while (workers.length < count) workers.push(await startWorker(ground, subject));
    while (workers.length > count) await workers.pop()?.stop();
    await pause(quietMs);
    await people.burst(chats, warmUpSentences);
    await pause(quietMs);
    const before = readCpu();
    const tookMs = await people.burst(chats, size.sentences);
    const after = readCpu();
    const shares = Object.entries(after).map(([what, ms]) => [what, (ms - (before[what] ?? 0)) / tookMs] as const);
    const perSecond = (1_000 * chats.length * size.sentences) / tookMs;
    return { workers: count, perSecond, cpu: Object.fromEntries(shares) };
  }

  const phases: Phase[] = [];
  for (const count of courses) phases.push(await measurePhase(count));
  return { slots, phases, faults: people.faults() };
}

/** Resolves once it answers over HTTP. */
async function startWorker({ folder }: Ground, { environment }: Subject): Promise<MeasuredProcess> {
  const place = mkdtempSync(join(folder, "worker-"));
  const port = await findFreePort();
  const log = join(place, "output.log");
  const worker = startMeasured({
    command: [process.execPath, join(root, "scripts", "node.mjs"), "src/main.ts", "start", "--role", "worker"],
    folder: root,
    environment: { ...environment, KURISU_HOME: join(place, "home"), KURISU_PORT: String(port) },
    log,
  });
  for (const began = performance.now(); ; await pause(100)) {
    const isThere = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return worker;
    if (worker.isRunning() && performance.now() - began < patienceMs) continue;
    await worker.stop("SIGKILL");
    throw new Error(`a worker did not start:\n${readFileSync(log, "utf8")}`);
  }
}

/** How many times as much two workers do, by the medians. */
function compareWorkers({ phases }: Setting): number {
  const [one, two] = [1, 2].map((count) =>
    median(phases.flatMap(({ perSecond, workers }) => (workers === count ? [perSecond] : []))),
  );
  return (two ?? Number.NaN) / (one ?? Number.NaN);
}

function printSetting(setting: Setting): void {
  const { faults, phases, slots } = setting;
  const row = (what: string, show: (phase: Phase) => string): void =>
    console.log(`| ${what} | ${phases.map(show).join(" | ")} |`);
  row(`${slots} slots a worker`, ({ workers }) => (workers === 1 ? "one worker" : "two workers"));
  console.log(`|---|${"---|".repeat(phases.length)}`);
  row("messages a second", ({ perSecond }) => perSecond.toFixed(1));
  for (const what of Object.keys(phases[0]?.cpu ?? {}))
    row(`processor of ${what}, of one core`, ({ cpu }) => `${(100 * (cpu[what] ?? 0)).toFixed(0)} %`);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  row("all together", ({ cpu }) => `${(100 * sum(Object.values(cpu))).toFixed(0)} %`);
  console.log(
    `\nRatio ${compareWorkers(setting).toFixed(2)}; lost, doubled, out of order: ${[faults.lost, faults.doubled, faults.reordered].join(", ")}\n`,
  );
}
