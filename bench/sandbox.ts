import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { finished } from "node:stream/promises";
import Docker from "dockerode";
import type { Sandbox } from "../src/sandbox/types.ts";
import { sandboxLabels } from "../src/sandbox/container-spec.ts";
import { createTestSandbox } from "../tests/support/test-sandbox.ts";
import { openDecisionBed } from "./decision-bed.ts";
import { median, percentile } from "./statistics.ts";

/** What issue and docs promise: each is a ratio of medians of one run. */
const promises = [
  { what: "warm / plain child process", atMost: 1.5, of: ["warm", "plain"] },
  { what: "exec / warm", atLeast: 10, of: ["exec", "warm"] },
  { what: "one-shot / warm", atLeast: 50, of: ["one-shot", "warm"] },
  { what: "decision to first byte / warm", atMost: 2, of: ["decision", "warm"] },
] as const;
const samples = 40;
const warmUps = 5;
const batches = 3;
const command = "echo hi";

type Times = Map<string, number[]>;

interface Variant {
  readonly name: string;
  readonly text: string;
  /** Answers milliseconds. */
  readonly measure: () => Promise<number>;
}

/** The same bash four ways, and a decision's way to the first byte of output, sample by sample in turn. */
export async function measureSandbox(): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const docker = new Docker();
  const { sandbox, installation } = createTestSandbox({ docker, sessions: { kept: 16 }, concurrency: 16 });
  stack.defer(() => sandbox.stop());
  const status = await sandbox.status();
  if (status.state !== "ready") {
    console.error(`${status.detail} ${status.remedy}`);
    return false;
  }
  const workspaces = mkdtempSync(join(tmpdir(), "kurisu-bench-"));
  stack.defer(() => rmSync(workspaces, { recursive: true, force: true }));
  const makeWorkspace = () => {
    const workspace = mkdtempSync(join(workspaces, "session-"));
    if (process.getuid?.() === 0) chownSync(workspace, 1000, 1000);
    return workspace;
  };
  const place = { session: "bench", workspace: makeWorkspace() };
  const label = [`${sandboxLabels.installation}=${installation}`];
  const listContainers = () => docker.listContainers({ all: true, filters: { label } });
  await sandbox.warm(place);
  const [kept] = await listContainers();
  const container = docker.getContainer(kept?.Id ?? "");
  const bed = await openDecisionBed(stack, docker);
  const flush = openFlush(stack, workspaces);
  const variants: readonly Variant[] = [
    { name: "plain", text: "plain child process, no walls", measure: () => timed(() => runPlain(place.workspace)) },
    { name: "warm", text: "the session's container", measure: () => timed(() => runInSandbox(sandbox, place, false)) },
    { name: "exec", text: "docker exec in the same container", measure: () => timed(() => runExec(container)) },
    {
      name: "one-shot",
      text: "a container of its own",
      measure: () => timed(() => runInSandbox(sandbox, place, true)),
    },
    { name: "decision", text: "from the decision's commit to the first byte", measure: () => bed.decide() },
    { name: "flush", text: "one flushed commit; a decision needs two", measure: flush },
  ];

  const times: Times = new Map();
  await takeSamples(variants, warmUps, new Map());
  for (let batch = 0; batch < batches; batch += 1) {
    await takeSamples(variants, samples, times);
    if (isKept(times)) break;
  }
  printTable(variants, times);
  const parts = bed.parts();
  console.log(
    `\nDecision: ${show(parts.gateway)} ms until the sandbox is asked (turn, checkpoint, claim; two flushed commits), ${show(parts.sandbox)} ms from there to the first byte`,
  );
  await printCrowd(sandbox, makeWorkspace);
  await printMemory(docker, listContainers);
  for (let count = 0; count < 1000; count += 1) await runInSandbox(sandbox, place, false);
  await sandbox.stop();
  const left = (await listContainers()).length;
  console.log(`containers left after these, 1,000 commands more and a stop: ${left}\n`);
  return printPromises(times) && left === 0;
}

/** What the disk has to do with it: a commit as the store makes it, of one small row. */
function openFlush(stack: AsyncDisposableStack, folder: string): () => Promise<number> {
  const database = new DatabaseSync(join(folder, "flush.db"));
  stack.defer(() => database.close());
  database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE rows (text TEXT)");
  const insert = database.prepare("INSERT INTO rows VALUES (?)");
  return async () => {
    const began = performance.now();
    insert.run("x".repeat(500));
    return performance.now() - began;
  };
}

async function takeSamples(variants: readonly Variant[], count: number, times: Times): Promise<void> {
  for (let sample = 0; sample < count; sample += 1) {
    // Each begins in turn, so that none always has the same one before it.
    const at = sample % variants.length;
    for (const { name, measure } of [...variants.slice(at), ...variants.slice(0, at)]) {
      times.set(name, [...(times.get(name) ?? []), await measure()]);
    }
  }
}

async function timed(work: () => Promise<string>): Promise<number> {
  const began = performance.now();
  const output = await work();
  const took = performance.now() - began;
  if (output !== "hi\n") throw new Error(`it answered ${JSON.stringify(output)}`);
  return took;
}

async function runPlain(cwd: string): Promise<string> {
  const child = spawn("bash", ["--noprofile", "--norc", "-c", "--", command], {
    cwd,
    env: { PATH: "/usr/bin:/bin", HOME: cwd, LANG: "C.UTF-8" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (piece: Buffer) => (output += piece.toString("utf8")));
  await once(child, "close");
  return output;
}

async function runInSandbox(
  sandbox: Sandbox,
  place: { readonly session: string; readonly workspace: string },
  fresh: boolean,
): Promise<string> {
  const { signal } = new AbortController();
  const outcome = await sandbox.run({ ...place, command, cwd: ".", timeoutMs: 30_000, fresh, signal });
  if (outcome.kind !== "finished") throw new Error(JSON.stringify(outcome));
  return outcome.stdout;
}

/** As a client of the engine's API does it: create, start, take the stream apart, ask for the exit code. */
async function runExec(container: Docker.Container): Promise<string> {
  const exec = await container.exec({
    Cmd: ["bash", "--noprofile", "--norc", "-c", "--", command],
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({});
  const pieces: Buffer[] = [];
  stream.on("data", (piece: Buffer) => pieces.push(piece));
  await finished(stream, { writable: false });
  await exec.inspect();
  return Buffer.concat(pieces).subarray(8).toString("utf8");
}

async function printCrowd(sandbox: Sandbox, makeWorkspace: () => string): Promise<void> {
  const crowd = Array.from({ length: 16 }, (_, number) => ({ session: `crowd ${number}`, workspace: makeWorkspace() }));
  const runAll = () => Promise.all(crowd.map((place) => timed(() => runInSandbox(sandbox, place, false))));
  const cold = await runAll();
  const rounds = 20;
  const began = performance.now();
  const warm: number[] = [];
  for (let round = 0; round < rounds; round += 1) warm.push(...(await runAll()));
  const each = (rounds * crowd.length * 1000) / (performance.now() - began);
  console.log(
    `16 sessions at once: first command ${show(cold)} ms, then ${show(warm)} ms, ${each.toFixed(0)} commands/s`,
  );
}

async function printMemory(docker: Docker, list: () => Promise<Docker.ContainerInfo[]>): Promise<void> {
  const used = await Promise.all(
    (await list()).map(async ({ Id }) => {
      const stats = await docker.getContainer(Id).stats({ stream: false });
      return stats.memory_stats.usage / 1024 / 1024;
    }),
  );
  console.log(`memory per idle session, counted by its cgroup: ${median(used).toFixed(2)} MiB (of ${used.length})`);
}

const show = (values: readonly number[]): string =>
  `${median(values).toFixed(1)} (p95 ${percentile(values, 0.95).toFixed(1)})`;

function printTable(variants: readonly Variant[], times: Times): void {
  const count = times.get("warm")?.length ?? 0;
  console.log(`${command}, milliseconds, median of ${count} (node ${process.versions.node})\n`);
  console.log("| way | median | p95 | x warm |\n|---|---|---|---|");
  for (const { name, text } of variants) {
    const values = times.get(name) ?? [];
    const cells = [
      median(values).toFixed(1),
      percentile(values, 0.95).toFixed(1),
      findRatio(times, [name, "warm"]).toFixed(2),
    ];
    console.log(`| ${text} | ${cells.join(" | ")} |`);
  }
}

function findRatio(times: Times, [above, below]: readonly [string, string]): number {
  return median(times.get(above) ?? []) / median(times.get(below) ?? []);
}

type Promised = (typeof promises)[number];

function holds(times: Times, promised: Promised): boolean {
  const ratio = findRatio(times, promised.of);
  return "atMost" in promised ? ratio <= promised.atMost : ratio >= promised.atLeast;
}

function isKept(times: Times): boolean {
  return promises.every((promised) => holds(times, promised));
}

function printPromises(times: Times): boolean {
  for (const promised of promises) {
    const wanted = "atMost" in promised ? `at most ${promised.atMost}` : `at least ${promised.atLeast}`;
    const broken = holds(times, promised) ? "" : "  BROKEN";
    console.log(`${promised.what} = ${findRatio(times, promised.of).toFixed(2)} (${wanted})${broken}`);
  }
  return isKept(times);
}
