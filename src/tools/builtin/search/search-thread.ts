import { Worker } from "node:worker_threads";
import { createSemaphore } from "../../sandbox/semaphore.ts";
import type { SearchResult, SearchWork } from "./search-work.ts";

/** Answers each piece of work in order. What takes too long, or is stopped, is `refused`. */
export type Search = (work: SearchWork) => Promise<SearchResult>;

/** Runs one search on a thread of its own. */
export type SearchThreads = <Result>(signal: AbortSignal, use: (search: Search) => Promise<Result>) => Promise<Result>;

const atOnce = 2;
const usualLimit = 5_000;
const heapMegabytes = 256;

/**
 * Patterns are the model's, and one of them can keep a processor busy for years. On a thread it keeps nobody else waiting,
 * and the thread is ended when its time is over.
 */
export function createSearchThreads(limitMs: number = usualLimit): SearchThreads {
  const places = createSemaphore(atOnce);

  return async (signal, use) => {
    const release = await places.acquire(signal);
    if (release === undefined) return use(() => Promise.resolve({ kind: "refused", reason: "It was stopped." }));
    const worker = new Worker(new URL("search-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    const ended = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    try {
      return await use((work) => ask(worker, work, ended, signal));
    } finally {
      await worker.terminate();
      release();
    }
  };
}

function ask(worker: Worker, work: SearchWork, ended: AbortSignal, stopped: AbortSignal): Promise<SearchResult> {
  const { promise, resolve } = Promise.withResolvers<SearchResult>();
  const stop = (): void => {
    const reason = stopped.aborted ? "It was stopped." : "It takes too long; use a simpler pattern or fewer files.";
    resolve({ kind: "refused", reason });
  };
  const fail = (error: Error): void => resolve({ kind: "refused", reason: `It cannot be searched: ${error.message}` });
  worker.once("message", resolve);
  worker.once("error", fail);
  ended.addEventListener("abort", stop, { once: true });
  if (ended.aborted) stop();
  else worker.postMessage(work);
  return promise.finally(() => {
    worker.off("message", resolve);
    worker.off("error", fail);
    ended.removeEventListener("abort", stop);
  });
}
