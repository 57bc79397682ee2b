import { readFileSync } from "node:fs";
import { join } from "node:path";

/** In the data folder: the running work of a process, one line for each beginning and end. */
export const workFile = "at-work.log";
/** In the data folder while the event loop is stalled; written by the watchdog. */
export const stallFile = "stalled.json";

/** The watchdog's record of a stalled loop. */
export interface StallMark {
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The work whose code did not return; null for none, undefined when that could not be determined. */
  readonly named?: string | null;
  /** Whether the process used the CPU throughout; false when it waited for the machine. */
  readonly busy: boolean;
}

/** A process that died during its work. */
export interface Death {
  readonly run: string;
  readonly atWork: readonly string[];
  /** The stall from which it never recovered. */
  readonly stall: StallMark | undefined;
}

export interface WorkLines {
  readonly run: string;
  readonly atWork: readonly string[];
  readonly left: boolean;
}

/** Returns undefined when the last process ended cleanly, was being stopped, or had no running work. */
export function readDeath(home: string): Death | undefined {
  const { run, atWork, left } = readWork(home);
  if (left || run === "" || atWork.length === 0) return undefined;
  const mark = readMark(home);
  return { run, atWork, stall: mark?.run === run ? mark : undefined };
}

export function readWork(home: string): WorkLines {
  let run = "";
  let left = false;
  const atWork = new Set<string>();
  for (const line of readText(join(home, workFile)).split("\n")) {
    const [sign, name] = readLine(line);
    if (sign === "run") run = name;
    else if (sign === "left") left = true;
    else if (sign === "+") atWork.add(name);
    else if (sign === "-") atWork.delete(name);
  }
  return { run, atWork: [...atWork], left };
}

/** Ignores a line that a power cut truncated. */
function readLine(line: string): readonly [string, string] {
  try {
    const read: unknown = JSON.parse(line);
    return Array.isArray(read) && read.every((part) => typeof part === "string")
      ? [read[0] ?? "", read[1] ?? ""]
      : ["", ""];
  } catch {
    return ["", ""];
  }
}

function readMark(home: string): StallMark | undefined {
  try {
    return JSON.parse(readText(join(home, stallFile))) as StallMark;
  } catch {
    return undefined;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The file does not exist before the first start, and an unreadable one gives no suspects.
    return "";
  }
}
