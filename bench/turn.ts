import { randomUUID } from "node:crypto";
import { insertTurn } from "../src/store/queries/turns.ts";
import { createTimeTool } from "../src/tools/builtin/time.ts";
import type { Tool } from "../src/tools/types.ts";
import { versionOf, type PermissionRules } from "../src/tools/permission.ts";
import { makeMessage } from "../tests/support/fake-channel.ts";
import { TestGateway } from "../tests/support/gateway.ts";
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

/**
 * One turn through the real gateway, from the platform's event to the reply at the platform, beside the same graph with
 * the same saver alone. The model answers at once; everything is written to real files with every flush. The kinds of
 * samples take turns, so that a noisy neighbour hits all of them alike.
 */
export async function measureTurn(options: readonly string[]): Promise<boolean> {
  const kurisu = new TestGateway({ tools: [createTimeTool({ defaultZone: "Asia/Shanghai" }) as Tool] });
  kurisu.rules.current = rules;
  await kurisu.start();
  try {
    for (const length of histories) await seedHistory(kurisu.store, `long${length}`, length);
    if (options.includes("--profile")) return await printProfile(kurisu);
    const times = new Map<string, number[]>();
    await takeSamples(kurisu, warmUps, new Map());
    // A machine that others use too needs more samples before its median says anything.
    for (let batch = 0; batch < batches; batch += 1) {
      await takeSamples(kurisu, samples, times);
      if (scriptNames.every((script) => findGrowth(times, script) <= allowedGrowth)) break;
    }
    return printTable(times);
  } finally {
    await kurisu.dispose();
  }
}

async function takeSamples(kurisu: TestGateway, count: number, times: Times): Promise<void> {
  for (let sample = 0; sample < count; sample += 1) {
    for (const script of scriptNames) {
      for (const length of histories) {
        for (const [kind, measure] of kinds) {
          const key = `${kind} ${script} ${length}`;
          times.set(key, [...(times.get(key) ?? []), await measure(kurisu, script, length)]);
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
    leaseUntil: 0,
    now: 0,
  };
  const hold = await insertTurn(store.main, row);
  const began = performance.now();
  const result = await agent.advance(input, {
    hold,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  const took = performance.now() - began;
  if (result.kind !== "replied") throw new Error(`the graph alone did not reply: ${JSON.stringify(result)}`);
  return took;
}

const kinds = [
  ["gateway", timeGateway],
  ["graph", timeGraph],
] as const;

const at = (times: Times, kind: string, script: Script, length: number) =>
  times.get(`${kind} ${script} ${length}`) ?? [];

function findGrowth(times: Times, script: Script): number {
  const [short, long] = histories.map((length) => median(at(times, "gateway", script, length)));
  return (long ?? Number.NaN) / (short ?? Number.NaN);
}

function printTable(times: Times): boolean {
  const show = (values: readonly number[]) =>
    `${median(values).toFixed(1)} (p90 ${percentile(values, 0.9).toFixed(1)})`;
  const count = at(times, "gateway", "no tool", histories[0]).length;
  console.log(`One turn, milliseconds, median of ${count} (node ${process.versions.node})\n`);
  console.log("| turn | messages before | gateway | graph alone | gateway / graph |\n|---|---|---|---|---|");
  for (const script of scriptNames) {
    for (const length of histories) {
      const [gateway, graph] = [at(times, "gateway", script, length), at(times, "graph", script, length)];
      const ratio = (median(gateway) / median(graph)).toFixed(2);
      console.log(`| ${script} | ${length} | ${show(gateway)} | ${show(graph)} | ${ratio} |`);
    }
  }
  console.log("");
  for (const script of scriptNames) {
    const growth = findGrowth(times, script).toFixed(2);
    console.log(
      `${script}: gateway at ${histories[1]} messages / at ${histories[0]} = ${growth} (at most ${allowedGrowth})`,
    );
  }
  return scriptNames.every((script) => findGrowth(times, script) <= allowedGrowth);
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
