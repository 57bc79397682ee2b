import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createDatabase, findPostgresPrograms, startPostgresServer } from "../../tests/support/postgres-server.ts";
import { type FakeBotApi, startFakeBotApi } from "../../tests/support/telegram/fake-bot-api.ts";
import { readMinutes } from "../soak.ts";
import { percentile } from "../statistics.ts";
import { openSoakNode, readNumber, type SoakNode } from "./soak-node.ts";

const chats = Array.from({ length: 30 }, (_, index) => 1_001 + index);
/** No two sentences have one number: this many belong to a chat. */
const numbersEach = 10_000;
const maxOpen = 2;
/** Between two sentences of a chat, at the least and at the most. */
const gapMs = { least: 2_000, most: 8_000 };
const killEveryMs = 30_000;
const tickMs = 100;
const patienceMs = 90_000;

const members = [
  { name: "gateway-1", role: "gateway" },
  { name: "worker-1", role: "worker" },
  { name: "gateway-2", role: "gateway" },
  { name: "worker-2", role: "worker" },
] as const;

/** The part that a killed process had. */
type Part = "worker" | "connected gateway" | "standby";

/** A chat that waits for a killed process's successor. */
interface Wait {
  readonly chat: number;
  readonly since: number;
  readonly answers: number;
  readonly part: Part;
}

export interface NodesFigures {
  readonly messages: number;
  readonly lost: number;
  readonly reordered: number;
  readonly doubled: number;
  /** Answers that came twice where no process could tell: the connected one died while it sent them. */
  readonly untold: number;
  readonly kills: number;
  /** Processes that ended by themselves and were started again. */
  readonly ends: number;
  readonly takeovers: readonly { readonly part: Part; readonly ms: number }[];
}

/**
 * Two gateways and two workers on one database, one of them killed every 30 s and started again at once, while 30 chats talk.
 * Every sentence must be answered once and in order.
 */
export async function soakNodes(options: readonly string[]): Promise<boolean> {
  const minutes = readMinutes(options, 20);
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "kurisu-nodes-"));
  if (options.includes("--keep")) console.error(`data and output.log: ${folder}`);
  else stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const fake = stack.use(await startFakeBotApi());
  const nodes = await openNodes(fake, folder, stack);
  const figures = await soak(fake, nodes, minutes * 60_000);
  print(figures);
  return figures.lost + figures.doubled + figures.reordered === 0;
}

async function openNodes(fake: FakeBotApi, folder: string, stack: AsyncDisposableStack): Promise<readonly SoakNode[]> {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new Error("Postgres is not installed (Debian: apt install postgresql)");
  const server = await startPostgresServer(programs, { fsync: true });
  stack.defer(() => server.dispose());
  const config = join(folder, "config");
  mkdirSync(join(config, "system"), { recursive: true });
  const many = 10_000;
  const channels = {
    busy: { burst: 0 },
    limits: { messages: { person: many, owner: many, all: many }, loop: 0 },
    telegram: { pace: { chat: 0, group: 0, all: 0 } },
  };
  writeFileSync(join(config, "system", "channels.yaml"), JSON.stringify(channels));
  const environment = {
    DATABASE_URL: (await createDatabase(server.url)).url,
    KURISU_CONFIG: config,
    KURISU_OWNERS: chats.map((id) => `telegram:${id}`).join(","),
    TELEGRAM_API_ROOT: fake.url,
    TELEGRAM_BOT_TOKEN: fake.token,
  };
  const nodes: SoakNode[] = [];
  for (const member of members) nodes.push(await openSoakNode(member, { folder, environment, stack }));
  return nodes;
}

async function soak(fake: FakeBotApi, nodes: readonly SoakNode[], durationMs: number): Promise<NodesFigures> {
  const said = chats.map(() => ({ count: 0, nextAt: 0 }));
  const answersOf = (chat: number): readonly number[] =>
    fake
      .botMessages(chats[chat] ?? 0)
      .map(({ text }) => readNumber(text))
      .filter((number) => number > 0);
  /** Answers that were on their way or just out when the connected process was killed. */
  const doubtful: number[] = [];
  const takeovers: { part: Part; ms: number }[] = [];
  let waits: Wait[] = [];
  let [kills, ends] = [0, 0];

  async function kill(node: SoakNode): Promise<void> {
    const part = node.role === "worker" ? "worker" : (await node.isConnected()) ? "connected gateway" : "standby";
    await node.kill();
    kills += 1;
    const since = performance.now();
    if (part === "connected gateway") doubtful.push(...listLastSent(fake));
    for (const [chat, { count }] of said.entries()) {
      const answers = answersOf(chat);
      const open = numbersOf(chat, count).filter((number) => !answers.includes(number));
      const isHit = part === "worker" ? open.some((number) => node.asked.has(number)) : open.length > 0;
      if (isHit && part !== "standby") waits.push({ chat, since, answers: answers.length, part });
    }
    node.start();
  }

  function talk(now: number): void {
    for (const [chat, state] of said.entries()) {
      if (now < state.nextAt || state.count - new Set(answersOf(chat)).size >= maxOpen) continue;
      state.count += 1;
      state.nextAt = now + gapMs.least + Math.random() * (gapMs.most - gapMs.least);
      const id = chats[chat] ?? 0;
      fake.sendText({ chat: id, from: { id }, text: `第 ${chat * numbersEach + state.count} 句` });
    }
  }

  function look(): void {
    const now = performance.now();
    for (const wait of waits.filter(({ answers, chat }) => answersOf(chat).length > answers))
      takeovers.push({ part: wait.part, ms: now - wait.since });
    waits = waits.filter(({ answers, chat }) => answersOf(chat).length <= answers);
    // As a service manager does.
    for (const node of nodes.filter((one) => !one.isRunning())) {
      ends += 1;
      console.error(`${node.name} ended by itself`);
      node.start();
    }
  }

  for (const node of nodes) node.start();
  const isReady = async (): Promise<boolean> =>
    (await Promise.all(nodes.map((node) => node.isConnected()))).includes(true);
  for (const began = performance.now(); !(await isReady()); await pause(tickMs))
    if (performance.now() - began > patienceMs || nodes.some((node) => !node.isRunning()))
      throw new Error("the processes did not start; see their output.log (--keep)");

  const began = performance.now();
  for (let nextKill = began + killEveryMs; performance.now() - began < durationMs; await pause(tickMs)) {
    talk(performance.now());
    look();
    const node = nodes[kills % nodes.length];
    if (performance.now() < nextKill || node === undefined) continue;
    nextKill += killEveryMs;
    console.error(`${((performance.now() - began) / 1_000).toFixed(0)} s: kill -9 ${node.name}`);
    await kill(node);
  }
  const isAnswered = (): boolean => said.every(({ count }, chat) => new Set(answersOf(chat)).size === count);
  for (const ended = performance.now(); !isAnswered() && performance.now() - ended < patienceMs; await pause(tickMs))
    look();
  look();
  // A surplus message comes a little later.
  await pause(2_000);
  const counts = said.map(({ count }, chat) => judge(numbersOf(chat, count), answersOf(chat), doubtful));
  await Promise.all(nodes.map((node) => node.stop()));
  const sum = (pick: (one: Counts) => number): number => counts.reduce((total, one) => total + pick(one), 0);
  return {
    messages: said.reduce((total, { count }) => total + count, 0),
    lost: sum(({ lost }) => lost),
    doubled: sum(({ doubled }) => doubled),
    untold: sum(({ untold }) => untold),
    reordered: sum(({ reordered }) => reordered),
    kills,
    ends,
    takeovers,
  };
}

type Counts = Pick<NodesFigures, "doubled" | "lost" | "reordered" | "untold">;

const numbersOf = (chat: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => chat * numbersEach + index + 1);

/** Each doubt explains one more copy, and no other. */
function judge(wanted: readonly number[], answers: readonly number[], doubtful: number[]): Counts {
  const first = [...new Set(answers)];
  const missing = wanted.filter((number) => !first.includes(number));
  const late = first.filter((answer, index) => answer < Math.max(0, ...first.slice(0, index)));
  const twice = answers.filter((answer, index) => answers.indexOf(answer) !== index);
  const known = twice.filter((answer) => {
    const doubt = doubtful.indexOf(answer);
    if (doubt >= 0) doubtful.splice(doubt, 1);
    return doubt >= 0;
  });
  for (const number of missing) console.error(`no answer to sentence ${number}`);
  for (const number of late) console.error(`out of order: ${number}`);
  for (const number of twice)
    console.error(`twice: ${number}${known.includes(number) ? ", which nobody can tell" : ""}`);
  return {
    lost: missing.length,
    doubled: twice.length - known.length,
    untold: known.length,
    reordered: late.length,
  };
}

/** The last of each chat: a chat sends one after the other, so that what came before was written down. */
function listLastSent(fake: FakeBotApi): readonly number[] {
  const last = new Map<unknown, number>();
  for (const { payload } of fake.callsOf("sendMessage")) {
    const number = readNumber(String(payload["text"]));
    if (number > 0) last.set(payload["chat_id"], number);
  }
  return [...last.values()];
}

function print(figures: NodesFigures): void {
  const { messages, lost, doubled, reordered, untold, kills, ends, takeovers } = figures;
  console.log("| | |\n|---|---|");
  console.log(`| messages | ${messages} |`);
  console.log(`| lost, doubled, reordered | ${lost}, ${doubled}, ${reordered} |`);
  console.log(`| twice where nobody can tell (the connected process died while it sent) | ${untold} |`);
  console.log(`| kill -9; processes that ended by themselves | ${kills}; ${ends} |`);
  console.log("\nFrom kill -9 until the next answer in a chat that waited for one:\n");
  console.log("| killed | chats | p50, s | p95, s | longest, s |\n|---|---|---|---|---|");
  for (const [part, all] of Map.groupBy(takeovers, (one) => one.part)) {
    const times = all.map(({ ms }) => ms / 1_000);
    const shown = [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)].map((time) => time.toFixed(1));
    console.log(`| ${part} | ${times.length} | ${shown.join(" | ")} |`);
  }
}
