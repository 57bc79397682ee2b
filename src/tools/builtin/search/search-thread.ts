import { Worker } from "node:worker_threads";
import { createSemaphore } from "../../sandbox/semaphore.ts";
import type { SearchResult, SearchWork } from "./search-work.ts";

/** Answers one piece of work at a time. What takes too long, or is stopped, is `refused`; then no more may be asked. */
export type Search = (work: SearchWork) => Promise<SearchResult>;

/** Runs one search on a thread of its own. */
export type SearchThreads = <Result>(signal: AbortSignal, use: (search: Search) => Promise<Result>) => Promise<Result>;

const atOnce = 2;
const usualLimit = 5_000;
const heapMegabytes = 256;

/**
 * Patterns are the model's, and one of them can keep a processor busy for years. On a thread it keeps nobody else waiting,
 * and the thread is ended when its time is over. `limitMs` is for one piece of work.
 */
export function createSearchThreads(limitMs: number = usualLimit): SearchThreads {
  const places = createSemaphore(atOnce);

  return async (signal, use) => {
    const release = await places.acquire(signal);
    if (release === undefined) return use(() => waitForAbort(signal));
    // The small young generation: see convert-aside.ts.
    const worker = new Worker(new URL("search-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 8 },
    });
    try {
      const failed = new Promise<SearchResult>((resolve) => {
        worker.on("error", (error) => resolve(refuse(`It cannot be searched: ${String(error)}`)));
      });
      const stopped = waitForAbort(signal);
      const ready = new Promise((resolve) => {
        worker.once("message", resolve);
      });
      await Promise.race([ready, failed, stopped]);
      return await use((work) => Promise.race([ask(worker, work, limitMs), failed, stopped]));
    } finally {
      await worker.terminate();
      release();
    }
  };
}

async function ask(worker: Worker, work: SearchWork, limitMs: number): Promise<SearchResult> {
  const { promise, resolve } = Promise.withResolvers<SearchResult>();
  const late = refuse("It takes too long; use a simpler pattern or fewer files.");
  const timer = setTimeout(() => resolve(late), limitMs);
  worker.once("message", resolve);
  worker.postMessage(work);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", resolve);
  }
}

function waitForAbort(signal: AbortSignal): Promise<SearchResult> {
  const stopped = refuse("It was stopped.");
  return new Promise((resolve) => {
    if (signal.aborted) resolve(stopped);
    signal.addEventListener("abort", () => resolve(stopped), { once: true });
  });
}

const refuse = (reason: string): SearchResult => ({ kind: "refused", reason });
