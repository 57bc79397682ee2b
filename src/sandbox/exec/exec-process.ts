import { finished } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import type Docker from "dockerode";
import { raceAbort } from "../../core/abort.ts";
import { callLimits } from "../container-calls.ts";
import { execStart } from "./exec-spec.ts";

/** How often the engine is asked whether a process has ended: one that it left behind can hold the stream open. */
const askEvery = 250;
/** Milliseconds that the rest of the output may take once nobody is left to write any. */
const restLimit = 3_000;

/** A process that the engine has started beside the first one of a container. */
export interface ExecProcess {
  /** Settles when it has ended, or the engine says no more of it; whatever it left behind may still run. Never rejects. */
  readonly ended: Promise<void>;
  /** Waits until nobody writes any more. */
  drain(): Promise<void>;
  /** Throws the engine's errors. "not run" = the engine could not start it, and says why on its output. */
  readEnd(): Promise<{ readonly kind: "exited"; readonly exitCode: number } | { readonly kind: "not run" }>;
  /** Stops asking. */
  release(): void;
}

/** Podman forgets the number of a process that has ended, so nothing tells one that never ran: all count as run. */
export type ExecEngine = "docker" | "podman";

/** The engine was asked to start it, and broke off: it may run. */
export class ExecLost extends Error {
  override readonly name = "ExecLost";
}

/** Throws the engine's errors, after which nothing runs, or ExecLost. */
export async function startExec(
  container: Docker.Container,
  spec: Docker.ExecCreateOptions,
  onData: (piece: Buffer) => void,
  engine: ExecEngine,
): Promise<ExecProcess> {
  const exec = await container.exec({ ...spec, abortSignal: AbortSignal.timeout(callLimits.call) });
  const stream = await begin(exec);
  const closed = finished(stream, { writable: false }).catch(() => undefined);
  const released = new AbortController();
  stream.on("data", onData);
  return {
    ended: Promise.race([closed, waitForEnd(exec, released.signal)]),
    async drain() {
      await Promise.race([closed, wait(restLimit, undefined, { ref: false })]);
      stream.destroy();
    },
    async readEnd() {
      const limit = Date.now() + callLimits.call;
      for (;;) {
        const { Running, ExitCode, Pid } = await inspect(exec);
        // Its stream is over a moment before its exit code is known.
        if (!Running && typeof ExitCode === "number") {
          const hasRun = engine === "podman" || Pid !== 0 || ExitCode === 0;
          return hasRun ? { kind: "exited", exitCode: ExitCode } : { kind: "not run" };
        }
        if (Date.now() > limit) throw new DOMException("the process does not end", "TimeoutError");
        await wait(20);
      }
    },
    release: () => released.abort(),
  };
}

async function begin(exec: Docker.Exec): Promise<NodeJS.ReadableStream & { destroy(): void }> {
  try {
    return await raceAbort(exec.start({ ...execStart }), AbortSignal.timeout(callLimits.call));
  } catch (error) {
    if (typeof (error as { statusCode?: unknown }).statusCode === "number") throw error;
    throw new ExecLost("the container engine broke off", { cause: error });
  }
}

const inspect = (exec: Docker.Exec): Promise<Docker.ExecInspectInfo> =>
  exec.inspect({ abortSignal: AbortSignal.timeout(callLimits.call) });

async function waitForEnd(exec: Docker.Exec, released: AbortSignal): Promise<void> {
  try {
    do await wait(askEvery, undefined, { signal: released });
    while ((await inspect(exec)).Running);
  } catch {
    // Let go, or the container or the engine is gone: whoever reads the end hears of it.
  }
}
