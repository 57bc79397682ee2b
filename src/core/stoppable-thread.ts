import { Worker } from "node:worker_threads";

/** The result of a piece of work. After anything but an answer the thread cannot be used again. */
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

/** The time limit for a script to report that it is ready. */
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
  // A promise for each wait: `Promise.race` with a promise as old as the thread would keep everything that ever waited.
  let settle: ((answer: ThreadAnswer<Result>) => void) | undefined;
  let failure: ThreadAnswer<never> | undefined;
  let ready = false;
  const fail = (error: unknown): void => {
    failure ??= { kind: "failed", error };
    settle?.(failure);
  };
  worker.on("error", fail);
  worker.on("exit", () => fail(new Error("the thread ended")));
  worker.on("message", (result: Result) => {
    ready = true;
    settle?.({ kind: "answered", result });
  });
  worker.unref();

  async function waitForMessage(limitMs: number, signal: AbortSignal | undefined): Promise<ThreadAnswer<Result>> {
    if (failure) return failure;
    if (signal?.aborted) return { kind: "aborted" };
    const { promise, resolve } = Promise.withResolvers<ThreadAnswer<Result>>();
    const abort = (): void => resolve({ kind: "aborted" });
    const timer = setTimeout(() => resolve({ kind: "late" }), limitMs);
    signal?.addEventListener("abort", abort, { once: true });
    settle = resolve;
    try {
      return await promise;
    } finally {
      settle = undefined;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  return {
    async ask(work, { limitMs, signal }) {
      worker.ref();
      try {
        const started = ready ? undefined : await waitForMessage(startLimitMs, signal);
        if (started && started.kind !== "answered") return started;
        worker.postMessage(work);
        return await waitForMessage(limitMs, signal);
      } finally {
        worker.unref();
      }
    },
    async end() {
      await worker.terminate();
    },
  };
}
