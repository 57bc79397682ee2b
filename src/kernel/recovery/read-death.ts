import { readFileSync } from "node:fs";
import { join } from "node:path";

/** In the data folder: what a process is at work on, a line for each beginning and end. */
export const workFile = "at-work.log";
/** In the data folder while the event loop is stalled; the watchdog writes it. */
export const stallFile = "stalled.json";

/** The watchdog's view of a stalled loop. */
export interface StallMark {
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** On whose behalf the code ran that did not come to its end; null = nobody's; undefined = it could not be seen. */
  readonly named?: string | null;
  /** The process computed all the while; false = it waited for the machine. */
  readonly busy: boolean;
}

/** A process that ended in the middle of something. */
export interface Death {
  readonly run: string;
  readonly atWork: readonly string[];
  /** It never came back from this. */
  readonly stall: StallMark | undefined;
}

export interface WorkLines {
  readonly run: string;
  readonly atWork: readonly string[];
  readonly left: boolean;
}

/** undefined = the last process ended well, was being stopped, or was at work on nothing. */
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

/** A line that a power cut has torn says nothing. */
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
    // There is none before the first start, and one that cannot be read blames nobody.
    return "";
  }
}
