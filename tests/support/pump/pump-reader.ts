import { startStoppableThread, type StoppableThread } from "../../../src/core/stoppable-thread.ts";

/** One function to pump; without a name, what the table of readers calls for that module. */
interface PumpOne {
  readonly kind: "pump";
  readonly path: string;
  readonly name?: string;
  readonly units: readonly string[];
  /** Two numbers: which unit is being tried, and at which size. */
  readonly progress: SharedArrayBuffer;
}

/** list = names what the table of readers has: it is read on the thread, where loading it does not slow the tests. */
export type PumpWork = PumpOne | { readonly kind: "list" };

/** Far more than any needs on a busy machine: only what hangs takes as long. */
const limitMs = 90_000;

/** Pumps functions on one thread, which is replaced when a function hangs it. */
export function createPumpRunner() {
  let thread: StoppableThread<PumpWork, readonly string[]> | undefined;
  const open = () =>
    (thread ??= startStoppableThread(new URL("pump-worker.ts", import.meta.url), { heapMegabytes: 1_024 }));
  return {
    /** Paths of modules with an adapter, and names of readers whose further arguments are known. */
    async listKnown(): Promise<ReadonlySet<string>> {
      const answer = await open().ask({ kind: "list" }, { limitMs });
      if (answer.kind !== "answered") throw new Error(`the table of readers cannot be read: ${JSON.stringify(answer)}`);
      return new Set(answer.result);
    },
    /** What is slow about one reader; [] = nothing. */
    async pump(work: Omit<PumpOne, "kind" | "progress">): Promise<readonly string[]> {
      const progress = new SharedArrayBuffer(8);
      const answer = await open().ask({ kind: "pump", ...work, progress }, { limitMs });
      if (answer.kind === "answered") return answer.result;
      await thread?.end();
      thread = undefined;
      const [unit = 0, size] = new Int32Array(progress);
      const why = answer.kind === "failed" ? String(answer.error) : "hangs";
      return [`${why}: ${JSON.stringify(work.units[unit])}, repeated to ${String(size)} characters`];
    },
    end: async () => thread?.end(),
  };
}
