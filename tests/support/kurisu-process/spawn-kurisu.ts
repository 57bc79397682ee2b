import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import { untilTestEnds, type KeepUntil } from "../keep-until.ts";
import type { NodeRole } from "../../../src/store/engines/open-cluster.ts";
import type { KurisuFolder } from "./kurisu-folder.ts";
import { patienceMs } from "../patience.ts";

const root = join(import.meta.dirname, "..", "..", "..");
/** The bundle, as people run it; built when the sources have changed. */
const bundle = execFileSync(process.execPath, [join(root, "scripts", "bundle.mjs")], { encoding: "utf8" }).trim();
/** Node's arguments for it. Stories are short: a young generation that need not grow saves a tenth of each start. */
export const program: readonly string[] = ["--min-semi-space-size=16", "--max-semi-space-size=16", bundle];

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface KurisuProcess {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Undefined while it runs. */
  exit(): Exit | undefined;
  /** The end of the process, its streams read to their end; rejects when it does not come within the time. */
  ended(timeoutMs?: number): Promise<Exit>;
}

export interface SpawnOptions {
  readonly folder: KurisuFolder;
  readonly environment?: Readonly<Record<string, string>>;
  /** Of a start. */
  readonly role?: NodeRole;
  /** A module that Node loads before the program. */
  readonly preload?: string;
  /** What somebody types; nothing when left out. */
  readonly input?: string;
  /** The width of a terminal; default 100. */
  readonly columns?: number;
  /** When a leftover is killed; default: when the test is over. */
  readonly keep?: KeepUntil;
}

/** The real program as a child process. A leftover is killed by its own number. */
export function spawnKurisu(given: readonly string[], options: SpawnOptions): KurisuProcess {
  const { folder, environment = {}, preload, input = "", keep = untilTestEnds } = options;
  const child: ChildProcessWithoutNullStreams = spawn(
    process.execPath,
    [...(preload === undefined ? [] : ["--import", preload]), ...program, ...given],
    { env: describeEnvironment(folder, environment) },
  );
  const output = { stdout: "", stderr: "" };
  child.stdin.end(input);
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      output[name] += chunk;
    });
  }
  let exit: Exit | undefined;
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      exit = { code, signal };
      resolve(exit);
    });
  });
  // A process nobody waits for must not fail the run by its error.
  ended.catch((error: unknown) => (output.stderr += String(error)));
  keep(async () => {
    if (exit === undefined) child.kill("SIGKILL");
    await ended;
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    kill: (signal) => void child.kill(signal),
    exit: () => exit,
    async ended(timeoutMs = patienceMs) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => late.reject(new Error(`kurisu ${given.join(" ")} did not end within ${timeoutMs} ms\n${output.stderr}`)),
        timeoutMs,
      );
      try {
        return await Promise.race([ended, late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** All that the program gets. */
export function describeEnvironment(
  folder: KurisuFolder,
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...inherited(),
    KURISU_HOME: folder.home,
    KURISU_CONFIG: folder.config,
    KURISU_PORT: "0",
    // Most stories are told in Chinese.
    LANG: "zh_CN.UTF-8",
    ...environment,
  };
}

/** What the machine needs; nothing that would point Kurisu at a real model or platform. */
function inherited(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "DOCKER_HOST", "KURISU_SANDBOX_IMAGE"];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
