import { Worker } from "node:worker_threads";

/** The result of a piece of work. After anything but an answer the thread is of no more use. */
export type ThreadAnswer<Result> =
  | { readonly kind: "answered"; readonly result: Result }
  | { readonly kind: "late" }
  | { readonly kind: "aborted" }
  | { readonly kind: "failed"; readonly error: unknown };

/** A thread that answers one piece of work at a time, and can be ended in the middle of it. */
export interface StoppableThread<Work, Result> {
  /** `limitMs` is for this piece of work; waiting until the thread has started does not count. */
  ask(work: Work, limits: { readonly limitMs: number; readonly signal?: AbortSignal }): Promise<ThreadAnswer<Result>>;
  end(): Promise<void>;
}

/** A script has so long until it says that it is ready. */
const startLimitMs = 30_000;

/**
 * For what others decide how long it takes: their patterns, their pages. `script` posts one message when it is ready, and
 * one for each piece of work. The thread keeps the process alive only while it is asked something.
 */
export function startStoppableThread<Work, Result>(
  script: URL,
  { heapMegabytes }: { readonly heapMegabytes: number },
): StoppableThread<Work, Result> {
  // The small young generation: see convert-aside.ts.
  const worker = new Worker(script, {
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 8 },
  });
  const failed = new Promise<ThreadAnswer<never>>((resolve) => {
    worker.on("error", (error) => resolve({ kind: "failed", error }));
    worker.on("exit", () => resolve({ kind: "failed", error: new Error("the thread ended") }));
  });
  const ready = waitForMessage(worker);
  worker.unref();
  return {
    async ask(work, { limitMs, signal }) {
      worker.ref();
      const aborted = waitForAbort(signal);
      try {
        const started = await Promise.race([ready.promise, failed, aborted.promise, late(startLimitMs, aborted.done)]);
        if (started.kind !== "answered") return started;
        const answer = waitForMessage<Result>(worker);
        worker.postMessage(work);
        const end = await Promise.race([answer.promise, failed, aborted.promise, late(limitMs, aborted.done)]);
        answer.stop();
        return end;
      } finally {
        aborted.stop();
        worker.unref();
      }
    },
    async end() {
      await worker.terminate();
    },
  };
}

function waitForMessage<Result>(worker: Worker) {
  const { promise, resolve } = Promise.withResolvers<ThreadAnswer<Result>>();
  const take = (result: Result): void => resolve({ kind: "answered", result });
  worker.once("message", take);
  return { promise, stop: () => void worker.off("message", take) };
}

/** `done` is aborted by `stop`, so that no timer outlives the question. */
function waitForAbort(signal: AbortSignal | undefined) {
  const { promise, resolve } = Promise.withResolvers<ThreadAnswer<never>>();
  const over = new AbortController();
  const abort = (): void => resolve({ kind: "aborted" });
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true, signal: over.signal });
  return { promise, done: over.signal, stop: () => over.abort() };
}

function late(limitMs: number, done: AbortSignal): Promise<ThreadAnswer<never>> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ kind: "late" }), limitMs);
    done.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
