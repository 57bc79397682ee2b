import { setTimeout as pause } from "node:timers/promises";
import { median, percentile } from "../statistics.ts";
import { createPeople, type Faults } from "./people.ts";
import type { SqlCounts } from "./count-sql.ts";
import { measureStarts } from "./measure-start.ts";
import { crowd, person, type RunningSubject, type Subject } from "./subjects.ts";

/** What one bot needs. Milliseconds, MB, messages a second; processor time is that of all its processes. */
export interface Figures {
  readonly name: string;
  readonly startMs: number;
  readonly startCpuMs: number;
  readonly idleMb: number;
  /** The first turns of the fresh process. */
  readonly young: { readonly p50Ms: number; readonly cpuMs: number };
  /** How many turns after the warm ones `pace…` are the figures of. */
  readonly paceTurns: number;
  readonly paceP50Ms: number;
  readonly paceP95Ms: number;
  readonly paceCpuMs: number;
  readonly bursts: readonly BurstFigures[];
  readonly after400Mb: number;
  readonly long?: { readonly turns: number; readonly after5000Mb: number; readonly afterMb: number };
  readonly telegramRequests: number;
  readonly modelRequests: number;
  readonly sql?: SqlCounts;
  readonly restartMs?: number;
  readonly faults: Faults;
}

interface BurstFigures {
  readonly perSecond: number;
  readonly cpuMs: number;
  /** Of one core. */
  readonly cpuShare: number;
}

export interface MeasureOptions {
  readonly paceTurns: number;
  readonly idleSeconds: number;
  readonly longTurns: number;
  /** Of a product with a store: a turn is interrupted. */
  readonly interrupted: boolean;
  readonly countSql: (() => Promise<SqlCounts>) | undefined;
  readonly readModel: () => Promise<{ readonly requests: number; readonly held: number }>;
}

/** Code that has just been loaded costs twice as much: these turns are shown apart, or not at all. */
export const youngTurns = 10;
export const warmTurns = 20;
const burstSentences = 10;
const burstTurns = crowd.length * burstSentences;

export async function measureSubject(subject: Subject, options: MeasureOptions): Promise<Figures> {
  const people = createPeople(subject.fake);
  const [start = { startMs: Number.NaN, startCpuMs: Number.NaN }] = await measureStarts([subject]);
  const running = await subject.start();
  await pause(options.idleSeconds * 1_000);
  const idleMb = running.rss();

  const rested = running.cpu();
  const youngTimes = await people.talk(person, youngTurns);
  const young = { p50Ms: median(youngTimes), cpuMs: (running.cpu() - rested) / youngTurns };
  await people.talk(person, warmTurns - youngTurns);
  const before = { cpu: running.cpu(), calls: countCalls(subject), asked: (await options.readModel()).requests };
  const times = await people.talk(person, options.paceTurns);
  const perTurn = (now: number, then: number) => (now - then) / options.paceTurns;
  const pace = {
    paceP50Ms: median(times),
    paceP95Ms: percentile(times, 0.95),
    paceCpuMs: perTurn(running.cpu(), before.cpu),
    telegramRequests: perTurn(countCalls(subject), before.calls),
    modelRequests: perTurn((await options.readModel()).requests, before.asked),
  };

  const bursts: BurstFigures[] = [];
  const burst = async () => {
    const cpu = running.cpu();
    const took = await people.burst(crowd, burstSentences);
    const spent = running.cpu() - cpu;
    bursts.push({ perSecond: (1_000 * burstTurns) / took, cpuMs: spent / burstTurns, cpuShare: spent / took });
  };
  await burst();
  await burst();
  await pause(1_000);
  const after400Mb = running.rss();
  const long = options.longTurns > 0 ? await measureLong(running, burst, options.longTurns) : undefined;
  await running.stop();
  const restartMs = options.interrupted ? await interrupt(subject, people, options.readModel) : undefined;
  const sql = await options.countSql?.();
  return {
    name: subject.name,
    ...start,
    idleMb,
    young,
    paceTurns: options.paceTurns,
    ...pace,
    bursts,
    after400Mb,
    ...(long && { long }),
    ...(sql && { sql }),
    ...(restartMs !== undefined && { restartMs }),
    faults: people.faults(),
  };
}

const countCalls = ({ fake }: Subject): number => fake.calls.filter(({ method }) => method !== "getUpdates").length;

async function measureLong(running: RunningSubject, burst: () => Promise<void>, turns: number) {
  const resident: number[] = [];
  for (let done = 2 * burstTurns; done < turns; done += burstTurns) {
    await burst();
    resident.push(running.rss());
    if (resident.length % 5 === 0) console.error(`  ${done + burstTurns} turns, ${resident.at(-1)?.toFixed(0)} MB`);
  }
  // One look may fall just before a garbage collection.
  const around = (index: number) => median(resident.slice(Math.max(0, index - 5), index));
  return { turns, after5000Mb: around(Math.floor(resident.length / 2)), afterMb: around(resident.length) };
}

/** kill -9 while the model thinks; then the time from the new start to the answer. The model answers at once. */
async function interrupt(
  subject: Subject,
  people: ReturnType<typeof createPeople>,
  readModel: MeasureOptions["readModel"],
): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    const running = await subject.start();
    const { held } = await readModel();
    const answered = people.ask(person, "这次慢一点也没关系");
    while ((await readModel()).held === held) await pause(5);
    await running.stop("SIGKILL");
    const again = subject.start();
    const restartedAt = performance.now();
    await answered;
    took.push(performance.now() - restartedAt);
    await (await again).stop();
  }
  return median(took);
}
