import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type FakeBotApi, startFakeBotApi } from "../../tests/support/telegram/fake-bot-api.ts";
import { median } from "../statistics.ts";
import { openSoakNode, readNumber, type SoakNode } from "./soak-node.ts";

const chats = Array.from({ length: 30 }, (_, index) => 1_001 + index);
const sayEveryMs = 500;
const sampleEveryMs = 10_000;
const patienceMs = 90_000;
const mebibyte = 1024 ** 2;
/** The last quarter may have this many times what the second one has. */
const maxGrowth = { rss: 1.1, handles: 1.1, wal: 1.25 };

interface Sample {
  /** Resident memory, MB. */
  readonly rss: number;
  /** Open file descriptors. */
  readonly handles: number;
  /** Write-ahead logs of the databases, MB. */
  readonly wal: number;
  /** Databases, MB. */
  readonly databases: number;
}

/** One process as people run it, on SQLite, with two messages a second: whether memory, handles and logs stay flat. */
export async function soakSteadily(minutes: number): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "kurisu-steady-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const fake = stack.use(await startFakeBotApi());
  const config = join(folder, "config");
  mkdirSync(join(config, "system"), { recursive: true });
  const limits = { messages: { person: 10_000, owner: 10_000, all: 10_000 }, loop: 0 };
  writeFileSync(join(config, "system", "channels.yaml"), JSON.stringify({ limits }));
  const environment = {
    KURISU_CONFIG: config,
    KURISU_OWNERS: chats.map((id) => `telegram:${id}`).join(","),
    TELEGRAM_API_ROOT: fake.url,
    TELEGRAM_BOT_TOKEN: fake.token,
  };
  const node = await openSoakNode({ name: "steady", role: "all" }, { folder, environment, stack });
  node.start();
  for (const began = performance.now(); !(await node.isConnected()); await pause(100))
    if (performance.now() - began > patienceMs) throw new Error("the process did not start");

  const samples: Sample[] = [];
  let said = 0;
  const began = performance.now();
  for (let nextSample = began; performance.now() - began < minutes * 60_000; await pause(sayEveryMs)) {
    said += 1;
    const id = chats[said % chats.length] ?? 0;
    fake.sendText({ chat: id, from: { id }, text: `第 ${said} 句` });
    if (!node.isRunning()) break;
    if (performance.now() < nextSample) continue;
    nextSample += sampleEveryMs;
    samples.push(readSample(node));
  }
  for (const ended = performance.now(); countAnswers(fake).size < said; await pause(500))
    if (performance.now() - ended > patienceMs) break;
  // A surplus message comes a little later.
  await pause(2_000);
  const answers = countAnswers(fake);
  const doubled = [...answers.values()].filter((count) => count > 1).length;
  const wasRunning = node.isRunning();
  await node.stop();
  return print({ said, lost: said - answers.size, doubled, wasRunning, samples });
}

function countAnswers(fake: FakeBotApi): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { text } of chats.flatMap((chat) => fake.botMessages(chat))) {
    const number = readNumber(text);
    if (number > 0) counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return counts;
}

function readSample(node: SoakNode): Sample {
  const process = node.process();
  const sizeOf = (ending: string): number =>
    readdirSync(node.home)
      .filter((name) => name.endsWith(ending))
      .reduce((sum, name) => sum + statSync(join(node.home, name)).size, 0) / mebibyte;
  return {
    rss: process?.rss() ?? 0,
    handles: readdirSync(`/proc/${process?.pid ?? 0}/fd`).length,
    wal: sizeOf("-wal"),
    databases: sizeOf(".db"),
  };
}

function print(figures: {
  readonly said: number;
  readonly lost: number;
  readonly doubled: number;
  readonly wasRunning: boolean;
  readonly samples: readonly Sample[];
}): boolean {
  const { doubled, lost, said, samples, wasRunning } = figures;
  const quarter = Math.floor(samples.length / 4);
  const quarters = [0, 1, 2, 3].map((index) => samples.slice(index * quarter, (index + 1) * quarter));
  const of = (key: keyof Sample) => quarters.map((part) => median(part.map((sample) => sample[key])));
  const grown = (["rss", "handles", "wal"] as const).filter((key) => {
    const [, second = 0, , last = 0] = of(key);
    return last > second * maxGrowth[key];
  });
  console.log(`| messages; lost, doubled | ${said}; ${lost}, ${doubled} |\n|---|---|`);
  console.log(`| ended by itself | ${wasRunning ? "no" : "YES"} |`);
  console.log("\n| median of each quarter | 1 | 2 | 3 | 4 |\n|---|---|---|---|---|");
  const rows = { rss: "memory, MB", handles: "open handles", wal: "write-ahead logs, MB", databases: "databases, MB" };
  for (const [key, name] of Object.entries(rows))
    console.log(
      `| ${name} | ${of(key as keyof Sample)
        .map((value) => value.toFixed(1))
        .join(" | ")} |`,
    );
  const isLong = quarter >= 2;
  console.log(`\n${!isLong ? "TOO SHORT to tell" : grown.length === 0 ? "flat" : `GROWN: ${grown.join(", ")}`}`);
  return isLong && wasRunning && lost + doubled + grown.length === 0;
}
