import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StorePlace } from "../src/store/open-store.ts";
import { insertTurn } from "../src/store/queries/turns.ts";
import { createTimeTool } from "../src/kernel/tools/builtin/time.ts";
import type { Tool } from "../src/kernel/tools/types.ts";
import { versionOf, type PermissionRules } from "../src/kernel/gate/permission.ts";
import { makeMessage } from "../tests/support/fake-channel.ts";
import { TestGateway } from "../tests/support/gateway.ts";
import { createDatabase, findPostgresPrograms, startPostgresServer } from "../tests/support/postgres-server.ts";
import { groupByOwner, profileCpu } from "./profile.ts";
import { cutHistory, seedHistory } from "./seed-history.ts";
import { median, percentile } from "./statistics.ts";

/** The promise: a turn in a long conversation costs at most this much of one in a short conversation. */
const allowedGrowth = 1.2;
const histories = [100, 10_000] as const;
const samples = 60;
const batches = 3;
const warmUps = 10;
const reply = "知道了，这件事我记下了。还有别的吗？";
const rules: PermissionRules = { permissions: { safe: ["time"], confirm: [], deny: [] }, rules: [], exclude: [] };
const scripts = { "no tool": [], "one round of time": [{ name: "time", arguments: {} }] } as const;
type Script = keyof typeof scripts;
type Times = Map<string, number[]>;
const scriptNames = Object.keys(scripts) as Script[];

/** A store to measure on, ready and filled. */
interface Bed {
  readonly engine: "SQLite" | "Postgres";
  readonly kurisu: TestGateway;
}

/**
 * One turn through the real gateway, from the platform's event to the reply at the platform, beside the same graph with
 * the same saver alone, on SQLite and on a Postgres server of our own. The model answers at once; everything is written
 * with every flush. The kinds of samples take turns, so that a noisy neighbour hits all of them alike.
 */
export async function measureTurn(options: readonly string[]): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const sqlite = await openSqliteBed(stack);
  if (options.includes("--profile")) return await printProfile(sqlite.kurisu);
  const beds = [sqlite];
  const postgres = await openPostgresBed(stack);
  if (postgres) beds.push(postgres);
  const times = new Map<string, number[]>();
  await takeSamples(beds, warmUps, new Map());
  // A machine that others use too needs more samples before its median says anything.
  for (let batch = 0; batch < batches; batch += 1) {
    await takeSamples(beds, samples, times);
    if (isKept(times, beds)) break;
  }
  return printTable(times, beds);
}

async function openSqliteBed(stack: AsyncDisposableStack): Promise<Bed> {
  const home = mkdtempSync(join(tmpdir(), "kurisu-bench-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  return { engine: "SQLite", kurisu: await openGateway(stack, { home }) };
}

/** undefined = the server's programs are not on this machine; one loud line says so. */
async function openPostgresBed(stack: AsyncDisposableStack): Promise<Bed | undefined> {
  const programs = findPostgresPrograms();
  if (programs === undefined) {
    console.warn("!!! Postgres is left out: its programs are not installed (Debian: apt install postgresql)\n");
    return undefined;
  }
  const server = await startPostgresServer(programs, { fsync: true });
  stack.defer(() => server.dispose());
  const { url } = await createDatabase(server.url);
  const home = mkdtempSync(join(tmpdir(), "kurisu-bench-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  return { engine: "Postgres", kurisu: await openGateway(stack, { home, url }) };
}

async function openGateway(stack: AsyncDisposableStack, place: StorePlace): Promise<TestGateway> {
  const kurisu = new TestGateway({ place, tools: [createTimeTool({ defaultZone: "Asia/Shanghai" }) as Tool] });
  kurisu.rules.current = rules;
  await kurisu.start();
  stack.defer(() => kurisu.dispose());
  for (const length of histories) await seedHistory(kurisu.store, `long${length}`, length);
  return kurisu;
}

async function takeSamples(beds: readonly Bed[], count: number, times: Times): Promise<void> {
  for (let sample = 0; sample < count; sample += 1) {
    for (const script of scriptNames) {
      for (const length of histories) {
        for (const [kind, measure] of kinds) {
          for (const { engine, kurisu } of beds) {
            const key = `${engine} ${kind} ${script} ${length}`;
            times.set(key, [...(times.get(key) ?? []), await measure(kurisu, script, length)]);
          }
        }
      }
    }
  }
}

function follow(kurisu: TestGateway, script: Script): void {
  kurisu.model.script = ({ results }) =>
    results.length === 0 && scripts[script].length > 0 ? { calls: scripts[script] } : { text: reply };
}

/** Milliseconds from the event to the reply. What is written after it is waited for, but not counted. */
async function timeGateway(kurisu: TestGateway, script: Script, length: number): Promise<number> {
  follow(kurisu, script);
  const chat = `long${length}`;
  const arrived = new Promise<number>((resolve) => {
    kurisu.channel.onSend = () => {
      resolve(performance.now());
      return undefined;
    };
  });
  const began = performance.now();
  await kurisu.channel.deliver(makeMessage("今天也辛苦了", { chat }));
  const took = (await arrived) - began;
  await kurisu.settle();
  await cutHistory(kurisu.store, chat, length);
  return took;
}

/** Milliseconds the compiled graph takes for the same turn. */
async function timeGraph(kurisu: TestGateway, script: Script, length: number): Promise<number> {
  follow(kurisu, script);
  const { store, agent } = kurisu;
  const [turn, session, policy] = [`bench_${randomUUID()}`, `fake:bot:long${length}`, versionOf(rules)];
  const input = {
    turn,
    session,
    chatKind: "private",
    person: { id: "fake:owner", name: "owner", role: "owner" },
    language: "zh",
    zone: "Asia/Shanghai",
    taint: "owner",
    text: "今天也辛苦了",
    position: length,
    startPosition: 0,
    policy,
  } as const;
  const row = {
    id: turn,
    session,
    inbox: turn,
    input: JSON.stringify(input),
    policy,
    owner: "bench",
    now: 0,
  };
  const lease = await insertTurn(store.main, row);
  await store.turnCheckpoints.fence(turn, lease.token);
  const began = performance.now();
  const result = await agent.advance(input, {
    lease,
    model: undefined,
    answered: undefined,
    wasCut: false,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onTasks: () => undefined,
    takeLaterWords: () => Promise.resolve([]),
    onBurst: () => () => undefined,
  });
  const took = performance.now() - began;
  if (result.kind !== "replied") throw new Error(`the graph alone did not reply: ${JSON.stringify(result)}`);
  return took;
}

const kinds = [
  ["gateway", timeGateway],
  ["graph", timeGraph],
] as const;

function findTimes(times: Times, { engine }: Bed, kind: string, script: Script, length: number): readonly number[] {
  return times.get(`${engine} ${kind} ${script} ${length}`) ?? [];
}

function findGrowth(times: Times, bed: Bed, script: Script): number {
  const [short, long] = histories.map((length) => median(findTimes(times, bed, "gateway", script, length)));
  return (long ?? Number.NaN) / (short ?? Number.NaN);
}

function isKept(times: Times, beds: readonly Bed[]): boolean {
  return beds.every((bed) => scriptNames.every((script) => findGrowth(times, bed, script) <= allowedGrowth));
}

function printTable(times: Times, beds: readonly Bed[]): boolean {
  const show = (values: readonly number[]) =>
    `${median(values).toFixed(1)} (p90 ${percentile(values, 0.9).toFixed(1)})`;
  const [first] = beds;
  const count = first === undefined ? 0 : findTimes(times, first, "gateway", "no tool", histories[0]).length;
  console.log(`One turn, milliseconds, median of ${count} (node ${process.versions.node})\n`);
  const columns = beds.map(({ engine }) => `${engine}: gateway | graph alone | ratio`);
  console.log(`| turn | messages before | ${columns.join(" | ")} |\n|---|---|${"---|---|---|".repeat(beds.length)}`);
  for (const script of scriptNames) {
    for (const length of histories) {
      const cells = beds.map((bed) => {
        const [gateway, graph] = [
          findTimes(times, bed, "gateway", script, length),
          findTimes(times, bed, "graph", script, length),
        ];
        return `${show(gateway)} | ${show(graph)} | ${(median(gateway) / median(graph)).toFixed(2)}`;
      });
      console.log(`| ${script} | ${length} | ${cells.join(" | ")} |`);
    }
  }
  console.log("");
  for (const bed of beds) {
    for (const script of scriptNames) {
      const growth = findGrowth(times, bed, script).toFixed(2);
      const lengths = `${histories[1]} messages / at ${histories[0]}`;
      console.log(`${bed.engine}, ${script}: gateway at ${lengths} = ${growth} (at most ${allowedGrowth})`);
    }
  }
  return isKept(times, beds);
}

async function printProfile(kurisu: TestGateway): Promise<boolean> {
  const turns = 200;
  const run = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await timeGateway(kurisu, "one round of time", histories[1]);
  };
  await run(20);
  const spent = await profileCpu(() => run(turns));
  console.log(`CPU by function itself, ${turns} turns with one round of time at ${histories[1]} messages`);
  for (const [heading, rows] of [
    ["whose", groupByOwner(spent)],
    ["function", spent],
  ] as const) {
    console.log(`\n| ms per turn | % | ${heading} |\n|---|---|---|`);
    for (const { milliseconds, percent, where } of rows.slice(0, heading === "whose" ? 12 : 25)) {
      console.log(`| ${(milliseconds / turns).toFixed(3)} | ${percent.toFixed(1)} | ${where} |`);
    }
  }
  return true;
}
