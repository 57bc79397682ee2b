import { url as inspectorUrl } from "node:inspector";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Readiness } from "../http/mount-readiness.ts";
import { stallFile } from "./read-death.ts";
import type { WorkRecord } from "./work-record.ts";

/** A period in which the event loop did not turn. */
export interface Stall {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly forMs: number;
  readonly atWork: readonly string[];
  /** The work whose code blocked it. */
  readonly named?: string;
}

/** The messages to the thread. */
export interface WatchdogOrders {
  readonly beat: SharedArrayBuffer;
  readonly home: string;
  readonly run: string;
  readonly everyMs: number;
  readonly stallMs: number;
  /** 0 for never. */
  readonly endMs: number;
  /** Absent for standard error. */
  readonly logFile?: string;
  /** The text for the terminal when the process ends itself. */
  readonly ending: string;
}

/** The key on the global object under which the thread finds the work of the stalled code. */
export const currentKey = "kurisu.at-work";

export interface Watchdog {
  start(): void;
  /** The last stall, while it is recent; for /readyz. */
  readiness(): Readiness | undefined;
  stop(): Promise<void>;
}

const beatMs = 500;
/** How long a past stall is shown. */
const shownMs = 10 * 60_000;

/**
 * Watches the event loop from a thread of its own. A stall is logged with the running work and recorded in the data
 * folder, so that the next start knows the cause of a death. An endless stall ends the process.
 */
export function createWatchdog(parts: {
  readonly home: string;
  readonly work: WorkRecord;
  readonly limits: { readonly after: number; readonly end: number };
  readonly logFile: string | undefined;
  readonly ending: () => string;
  readonly log: Logger;
}): Watchdog {
  const { home, work, limits, logFile, log } = parts;
  let last: Stall | undefined;
  let end: (() => Promise<void>) | undefined;

  function note(stall: Stall): void {
    last = stall;
    const { atWork, named } = stall;
    log.warn({ stalledMs: Math.round(stall.forMs), atWork, for: named }, "the event loop goes on after a stall");
  }

  return {
    start() {
      const beat = new SharedArrayBuffer(4);
      const beats = new Int32Array(beat);
      Object.defineProperty(globalThis, Symbol.for(currentKey), { value: work.current, configurable: true });
      const orders: WatchdogOrders = {
        beat,
        home,
        run: work.run,
        everyMs: beatMs,
        stallMs: limits.after,
        // A debugger may halt it for any time.
        endMs: inspectorUrl() === undefined ? limits.end : 0,
        ...(logFile !== undefined && { logFile }),
        ending: parts.ending(),
      };
      const thread = new Worker(new URL("watchdog-thread.ts", import.meta.url), {
        workerData: orders,
        resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
      });
      thread.unref();
      const beating = setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref();
      thread.on("message", note);
      thread.on("error", (error) => log.error({ err: error }, "nobody watches the event loop any more"));
      end = async () => {
        clearInterval(beating);
        await thread.terminate();
        rmSync(join(home, stallFile), { force: true });
      };
    },
    readiness() {
      if (!last || Date.now() - last.since - last.forMs > shownMs) return undefined;
      const { since, forMs, atWork, named } = last;
      const whose = named ?? (atWork.length === 0 ? "nothing" : atWork.join(", "));
      return { state: "degraded", since, detail: `stalled for ${(forMs / 1_000).toFixed(1)} s, at work on ${whose}` };
    },
    stop: async () => end?.(),
  };
}
