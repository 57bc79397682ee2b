import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** A program under measurement, with all processes that it starts. */
export interface MeasuredProcess {
  readonly pid: number;
  /** performance.now() of its start. */
  readonly startedAt: number;
  /** Processor time so far, user and system, milliseconds. */
  cpu(): number;
  isRunning(): boolean;
  /** Resident memory now, MB. */
  rss(): number;
  signal(name: NodeJS.Signals): void;
  /** Ends it by this signal and waits for the end. */
  stop(name?: NodeJS.Signals): Promise<void>;
}

export interface ProcessOptions {
  readonly command: readonly string[];
  /** Where it starts; default: where the bench does. */
  readonly folder?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Its output goes there, so that nobody has to read it meanwhile. */
  readonly log: string;
  /** Hears the messages of a Node program; the program ends when this process does. */
  readonly hear?: (message: unknown) => void;
}

// Linux counts in clock ticks of 10 ms (man 5 proc_pid_stat) and in pages.
const tickMs = 10;
const statFields = { parent: 1, userTime: 11, systemTime: 12, endedUserTime: 13, endedSystemTime: 14 };

export function startMeasured({ command, folder, environment, log, hear }: ProcessOptions): MeasuredProcess {
  const output = openSync(log, "a");
  const startedAt = performance.now();
  const [program = "", ...given] = command;
  const child = spawn(program, given, {
    ...(folder !== undefined && { cwd: folder }),
    env: { ...environment },
    stdio: ["ignore", output, output, ...(hear === undefined ? [] : ["ipc" as const])],
  });
  closeSync(output);
  if (hear !== undefined) child.on("message", hear);
  const ended = once(child, "exit");
  const pid = child.pid ?? 0;
  return {
    pid,
    startedAt,
    cpu: () => readTreeCpu(pid),
    isRunning: () => isRunning(child),
    rss: () => sum(listTree(pid).map(readRss)),
    signal: (name) => void child.kill(name),
    async stop(name = "SIGTERM") {
      if (isRunning(child)) child.kill(name);
      const late = new AbortController();
      const harder = pause(30_000, undefined, { signal: late.signal }).then(
        () => child.kill("SIGKILL"),
        () => undefined,
      );
      await ended;
      late.abort();
      await harder;
    },
  };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The processor time of a process and its descendants, those that have ended included, in milliseconds. */
export function readTreeCpu(pid: number): number {
  return sum(listTree(pid).map(readCpu));
}

export function readParent(pid: number): number {
  return readStat(pid)[statFields.parent] ?? 0;
}

/** The process and its descendants. */
function listTree(pid: number): readonly number[] {
  const children = Map.groupBy(
    readdirSync("/proc").filter(isPid).map(Number),
    (other) => readStat(other)[statFields.parent],
  );
  const tree = [pid];
  for (const known of tree) tree.push(...(children.get(known) ?? []));
  return tree;
}

const isPid = (name: string): boolean => /^\d+$/.test(name);

/** The fields after the program's name; [] for a process that has ended. */
function readStat(pid: number): readonly number[] {
  const line = readProc(`/proc/${pid}/stat`);
  return line
    .slice(line.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
}

function readCpu(pid: number): number {
  const stat = readStat(pid);
  const { userTime, systemTime, endedUserTime, endedSystemTime } = statFields;
  return tickMs * sum([userTime, systemTime, endedUserTime, endedSystemTime].map((field) => stat[field] ?? 0));
}

function readRss(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readProc(`/proc/${pid}/status`))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}

function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // It ended between the listing and the look.
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}
