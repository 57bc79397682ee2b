// The thread started by watchdog.ts: it continues when the main thread does not.
import { appendFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { lookAtLoop } from "./look-at-loop.ts";
import { createLoopWatch } from "./loop-watch.ts";
import { readWork, stallFile, type StallMark } from "./read-death.ts";
import { currentKey, type Stall, type WatchdogOrders } from "./watchdog.ts";

const { beat, home, run, stallMs, endMs, everyMs, logFile, ending } = workerData as WatchdogOrders;
const beats = new Int32Array(beat);
const mark = join(home, stallFile);
const lookLimitMs = 10_000;

let stall: Stall | undefined;
const observe = () => {
  // Excludes system time, which a machine short of memory spends on paging.
  const { user } = process.cpuUsage();
  return { now: performance.now(), beat: Atomics.load(beats, 0), computed: user / 1_000 };
};
const look = createLoopWatch(observe(), { everyMs, stallMs });

setInterval(() => {
  const state = look(observe());
  switch (state.kind) {
    case "beating":
      return;
    case "stalled":
      return void tellStall(state.forMs, state.busy);
    case "still stalled":
      if (endMs > 0 && state.forMs >= endMs) void end(state.forMs);
      return;
    case "came back":
      rmSync(mark, { force: true });
      parentPort?.postMessage({ ...stall, forMs: state.forMs });
      stall = undefined;
  }
}, everyMs);

async function tellStall(forMs: number, busy: boolean): Promise<void> {
  const since = Date.now() - Math.round(forMs);
  const { atWork } = readWork(home);
  const mine: Stall = { since, forMs, atWork };
  stall = mine;
  const first: StallMark = { run, since, busy };
  // Written first, so that the next start finds it in any case.
  writeMark(first);
  const place = await lookAtLoop(`globalThis[Symbol.for("${currentKey}")]() ?? null`, lookLimitMs);
  const named = typeof place?.value === "string" || place?.value === null ? place.value : undefined;
  writeLog("error", {
    stalledMs: Math.round(forMs),
    atWork,
    for: named,
    stack: place?.stack,
    msg: "the event loop is stalled",
  });
  if (stall !== mine) return;
  stall = { ...mine, ...(typeof named === "string" && { named }) };
  if (named !== undefined) writeMark({ ...first, named });
}

function writeMark(content: StallMark): void {
  try {
    writeFileSync(mark, JSON.stringify(content), { mode: 0o600 });
  } catch (error) {
    writeLog("warn", { msg: `the stall could not be noted: ${String(error)}` });
  }
}

async function end(forMs: number): Promise<void> {
  writeLog("fatal", { stalledMs: Math.round(forMs), msg: "the event loop does not come back; the process ends" });
  writeSync(2, `${ending}\n`);
  process.kill(process.pid, "SIGKILL");
  // Process 1 of a container ignores its own signals.
  await lookAtLoop("process.abort()", lookLimitMs);
}

/** In the format of the main thread's logger, which may never run again. Contains no text of any user. */
function writeLog(
  level: "warn" | "error" | "fatal",
  fields: { readonly msg: string; readonly [key: string]: unknown },
): void {
  if (logFile === "silent") return;
  const line = `${JSON.stringify({ level, time: new Date().toISOString(), ...fields })}\n`;
  if (logFile === undefined) writeSync(2, line);
  else appendFileSync(logFile, line, { mode: 0o600 });
}
