import { startStoppableThread, type ThreadAnswer } from "../../core/stoppable-thread.ts";
import { createSemaphore } from "../../core/semaphore.ts";
import type { SearchResult, SearchWork } from "./search-work.ts";

/**
 * Processes one piece of work at a time. Work that takes too long, or is stopped, is `refused`; afterwards the thread
 * takes no more.
 */
export type Search = (work: SearchWork) => Promise<SearchResult>;

/** Runs one search on a separate thread. */
export type SearchThreads = <Result>(signal: AbortSignal, use: (search: Search) => Promise<Result>) => Promise<Result>;

const atOnce = 2;
const defaultLimit = 5_000;
const heapMegabytes = 256;

/**
 * Patterns are the model's, and one of them can keep a processor busy for years. On a thread it delays no other work,
 * and the thread is ended when its time is up. `limitMs` is for one piece of work.
 */
export function createSearchThreads(limitMs: number = defaultLimit): SearchThreads {
  const places = createSemaphore(atOnce);

  return async (signal, use) => {
    const release = await places.acquire(signal);
    if (release === undefined) return use(() => Promise.resolve(readAnswer({ kind: "aborted" })));
    const thread = startStoppableThread<SearchWork, SearchResult>(new URL("search-worker.ts", import.meta.url), {
      heapMegabytes,
    });
    try {
      return await use(async (work) => readAnswer(await thread.ask(work, { limitMs, signal })));
    } finally {
      await thread.end();
      release();
    }
  };
}

function readAnswer(answer: ThreadAnswer<SearchResult>): SearchResult {
  switch (answer.kind) {
    case "answered":
      return answer.result;
    case "late":
      return refuse("It takes too long; use a simpler pattern or fewer files.");
    case "aborted":
      return refuse("It was stopped.");
    case "failed":
      return refuse(`It cannot be searched: ${String(answer.error)}`);
  }
}

const refuse = (reason: string): SearchResult => ({ kind: "refused", reason });
