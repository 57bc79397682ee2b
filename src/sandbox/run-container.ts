import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import type { Logger } from "pino";
import { raceAbort } from "../core/abort.ts";
import { createOutputCollector } from "./collect-output.ts";
import { callLimits, createContainer, removeContainer } from "./container-calls.ts";
import { isGone, readStatusCode } from "./engine-faults.ts";
import type { Semaphore } from "../core/semaphore.ts";
import type { SandboxCommand, SandboxOutcome } from "./types.ts";

/** The container disappeared, or the engine broke off, after the command had begun. */
export class ContainerLost extends Error {
  override readonly name = "ContainerLost";
}

export interface ContainerRun {
  readonly docker: Docker;
  readonly spec: Docker.ContainerCreateOptions;
  /** Content digest that the image must have; absent means whatever the name refers to now. */
  readonly image?: string | undefined;
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly signal: AbortSignal;
  readonly onOutput?: SandboxCommand["onOutput"];
  /** Starting is most of the work (and of the engine's locks), so only a few containers start at once. */
  readonly starts: Semaphore;
  readonly log: Pick<Logger, "warn">;
}

/** Why a container was lost while a command ran in it. */
export const lossReasons = {
  removed: "The container was removed by somebody else while the command ran.",
  engine: "The container engine was lost while the command ran.",
};

/** The exit code of what SIGKILL ended, and after how many milliseconds each time it is asked again what did it. */
const killed = 137;
const laterLooksMs = [300, 300, 700];

type Ending = "exited" | "timeout" | "stopped" | "overflow";

/** Create, attach, start, read, remove. Throws the engine's errors (nothing has run), or ContainerLost (it may have). */
export async function runContainer(run: ContainerRun): Promise<Exclude<SandboxOutcome, { kind: "unavailable" }>> {
  const release = await run.starts.acquire(run.signal);
  if (release === undefined) return { kind: "stopped", started: false };
  let container: Docker.Container | undefined;
  try {
    container = await createContainer(run.docker, run.spec, run);
    if (run.signal.aborted) return { kind: "stopped", started: false };
    // Attached before it starts: a fast command ends before a later attach.
    const stream = await raceAbort(
      container.attach({ stream: true, stdout: true, stderr: true }),
      AbortSignal.timeout(callLimits.call),
    );
    await startContainer(container);
    release();
    return await follow(container, stream, run);
  } finally {
    release();
    if (container !== undefined) await removeContainer(container, run.log);
  }
}

/** An engine that refuses has not started it; one that was asked and went silent may have. */
async function startContainer(container: Docker.Container): Promise<void> {
  try {
    await container.start({ abortSignal: AbortSignal.timeout(callLimits.start) });
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (readStatusCode(error) !== undefined || ["ECONNREFUSED", "ENOENT"].includes(code)) throw error;
    throw new ContainerLost("The container engine was lost while the command began.", { cause: error });
  }
}

async function follow(
  container: Docker.Container,
  stream: NodeJS.ReadWriteStream,
  run: ContainerRun,
): Promise<Exclude<SandboxOutcome, { kind: "unavailable" }>> {
  const output = createOutputCollector(run.outputBytes, run.onOutput);
  const ending = await watch(stream, output, run);
  const end = await readEnd(container, ending);
  if (ending === "stopped") return { kind: "stopped", started: true };
  return {
    kind: "finished",
    exitCode: end.exitCode,
    stdout: output.stdout(),
    stderr: output.stderr(),
    timedOut: ending === "timeout",
    truncated: output.overflowed,
    outOfMemory: end.outOfMemory,
  };
}

/** Reads until the container's init has closed its output (which is when it ends) or something cuts it short. */
function watch(
  stream: NodeJS.ReadWriteStream,
  output: { write(piece: Buffer): void; readonly overflowed: boolean },
  run: ContainerRun,
): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const stop = (): void => resolve("stopped");
  const timer = setTimeout(() => resolve("timeout"), run.timeoutMs);
  stream.on("data", (piece: Buffer) => {
    // After the cap the stream is still drained, so that the engine never blocks on it.
    if (!output.overflowed) output.write(piece);
    if (output.overflowed) resolve("overflow");
  });
  // A broken stream says no more than an ended one: whether the container still lives is asked afterwards.
  const ended = (): void => resolve("exited");
  finished(stream, { writable: false }).then(ended, ended);
  run.signal.addEventListener("abort", stop, { once: true });
  if (run.signal.aborted) stop();
  return promise.finally(() => {
    clearTimeout(timer);
    run.signal.removeEventListener("abort", stop);
  });
}

async function readEnd(
  container: Docker.Container,
  ending: Ending,
): Promise<{ exitCode: number; outOfMemory: boolean }> {
  let state: Docker.ContainerInspectInfo["State"];
  try {
    if (ending !== "exited") await killContainer(container);
    // Waiting for "not running" after the stream has ended cannot miss the end, as "next exit" can when it is sent late.
    await container.wait({ condition: "not-running", abortSignal: AbortSignal.timeout(callLimits.call) });
    state = await inspectState(container);
    // Podman kills first and removes a moment later; Docker on a busy machine hears late that memory ran out.
    for (const ms of ending === "exited" ? laterLooksMs : []) {
      if (state.ExitCode !== killed || state.OOMKilled || isRemoved(state)) break;
      await sleep(ms);
      state = await inspectState(container);
    }
  } catch (error) {
    if (readStatusCode(error) === 404) throw new ContainerLost(lossReasons.removed, { cause: error });
    throw new ContainerLost(lossReasons.engine, { cause: error });
  }
  // Callers mark a container before removing it, so its exit code is not taken for the command's.
  if (isRemoved(state)) throw new ContainerLost(lossReasons.removed);
  return { exitCode: state.ExitCode, outOfMemory: state.OOMKilled };
}

const isRemoved = (state: Docker.ContainerInspectInfo["State"]): boolean => state.Status === "removing" || state.Dead;

async function inspectState(container: Docker.Container): Promise<Docker.ContainerInspectInfo["State"]> {
  return (await container.inspect({ abortSignal: AbortSignal.timeout(callLimits.call) })).State;
}

async function killContainer(container: Docker.Container): Promise<void> {
  try {
    // Not stop(): it asks politely first, and a command may ignore that.
    await container.kill({ abortSignal: AbortSignal.timeout(callLimits.call) });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
