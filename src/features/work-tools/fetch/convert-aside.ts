import { Worker } from "node:worker_threads";
import type { HtmlPage } from "./convert-html.ts";

const timeLimitMs = 8_000;

/**
 * Converts a page in a thread with limits of its own, so that a page made to take long or much does not delay other
 * chats. Returns undefined if it could not be converted within them.
 */
export function convertAside(page: HtmlPage, signal: AbortSignal): Promise<string | undefined> {
  // If a thread runs out of memory, only the thread ends, as long as what one collection moves is less than the 16 MiB
  // that Node then adds; otherwise V8 ends the process. So the young generation is kept small.
  const worker = new Worker(new URL("html-worker.ts", import.meta.url), {
    workerData: page,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8, stackSizeMb: 8 },
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]);
  const stop = (): void => void worker.terminate();
  limit.addEventListener("abort", stop, { once: true });
  return new Promise<string | undefined>((resolve) => {
    worker.once("message", (text: string) => resolve(text));
    // The page caused its end (memory, depth).
    worker.once("error", () => resolve(undefined));
    worker.once("exit", () => resolve(undefined));
  }).finally(() => {
    limit.removeEventListener("abort", stop);
    stop();
  });
}
