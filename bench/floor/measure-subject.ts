import { setTimeout as pause } from "node:timers/promises";
import { median, percentile } from "../statistics.ts";
import { createPeople, type Faults } from "./people.ts";
import { crowd, person, type RunningSubject, type Subject } from "./subjects.ts";

/** What one bot needs. Milliseconds, MB, messages a second; processor time is that of all its processes. */
export interface Figures {
  readonly name: string;
  readonly startMs: number;
  readonly startCpuMs: number;
  readonly idleMb: number;
  readonly paceP50Ms: number;
  readonly paceP95Ms: number;
  readonly paceCpuMs: number;
  readonly bursts: readonly BurstFigures[];
  readonly after400Mb: number;
  readonly long?: { readonly turns: number; readonly after5000Mb: number; readonly afterMb: number };
  readonly telegramRequests: number;
  readonly modelRequests: number;
  readonly sqlCalls?: number;
  readonly sqlCommits?: number;
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
  /** Of a product with a store: SQL counted, and a turn interrupted. */
  readonly whole: "sqlite" | "postgres" | undefined;
  readonly readModel: () => Promise<{ readonly requests: number; readonly held: number }>;
}

const burstSentences = 10;
const burstTurns = crowd.length * burstSentences;

export async function measureSubject(subject: Subject, options: MeasureOptions): Promise<Figures> {
  const people = createPeople(subject.fake);
  const starts = [];
  // The first start of all compiles; what people see afterwards is the median of the others.
  await stopAfter(subject.start());
  for (let count = 0; count < 3; count += 1) starts.push(await stopAfter(subject.start()));
  const running = await subject.start();
  await pause(options.idleSeconds * 1_000);
  const idleMb = running.rss();

  await people.talk(person, 5);
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
  const counted = options.whole === "sqlite" ? await countSql(subject, people.talk) : undefined;
  const restartMs = options.whole === undefined ? undefined : await interrupt(subject, people, options.readModel);
  return {
    name: subject.name,
    startMs: median(starts.map(({ ms }) => ms)),
    startCpuMs: median(starts.map(({ cpu }) => cpu)),
    idleMb,
    ...pace,
    bursts,
    after400Mb,
    ...(long && { long }),
    ...counted,
    ...(restartMs !== undefined && { restartMs }),
    faults: people.faults(),
  };
}

async function stopAfter(starting: Promise<RunningSubject>): Promise<RunningSubject["ready"]> {
  const running = await starting;
  // A start that is ended at once would not be a clean one.
  await pause(500);
  await running.stop();
  return running.ready;
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

interface Sums {
  readonly calls: number;
  readonly commits: number;
}

async function countSql(subject: Subject, talk: (chat: number, sentences: number) => Promise<unknown>) {
  const running = await subject.start({ preload: "count-calls.mjs" });
  const turns = 10;
  await talk(person, 3);
  const before = (await running.askPreload()) as Sums;
  await talk(person, turns);
  const after = (await running.askPreload()) as Sums;
  await running.stop();
  return { sqlCalls: (after.calls - before.calls) / turns, sqlCommits: (after.commits - before.commits) / turns };
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
