import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import { createOutputCollector, type OutputCollector } from "../collect-output.ts";
import { callLimits } from "../container-calls.ts";
import type { ContainerIdentity } from "../container-identity.ts";
import { isGone } from "../engine-faults.ts";
import type { RunnerClient } from "../runner/runner-client.ts";
import type { RunnerCommand, RunnerOutcome } from "../runner/running-command.ts";
import { ExecLost, startExec, type ExecEngine, type ExecProcess } from "./exec-process.ts";
import { buildExecSpec, type ExecProgram } from "./exec-spec.ts";

type Ending = "exited" | "timeout" | "stopped" | "overflow";

const cleanUpTries = 3;
/** Milliseconds. */
const cleanUpLimit = 15_000;

/**
 * Runs commands in a container whose first process does nothing, by `docker exec`: the engine cannot kill such a process
 * and leaves its children behind, so a second one clears up after each command, and what cannot be cleared is
 * thrown away with its container. `stream` is attached to the first process, which ends with it.
 */
export function createExecClient(parts: {
  readonly container: Docker.Container;
  readonly stream: Duplex;
  readonly identity: ContainerIdentity;
  readonly engine: ExecEngine;
}): Pick<RunnerClient, "run" | "state" | "close"> {
  const { container, stream, identity, engine } = parts;
  let state: ReturnType<RunnerClient["state"]> = { kind: "ready" };
  let isBusy = false;
  let memoryKills = 0;

  function lose(problem: string): void {
    if (state.kind === "lost") return;
    state = { kind: "lost", reason: `The container is lost: ${problem}.` };
    stream.destroy();
  }

  function start(program: ExecProgram, environment: readonly string[], output: OutputCollector): Promise<ExecProcess> {
    const spec = buildExecSpec({ program, identity, environment });
    return startExec(container, spec, (piece) => output.write(piece), engine);
  }

  /** True when nothing is left of the command. Throws the engine's errors. */
  async function tryCleanUp(): Promise<boolean> {
    const output = createOutputCollector(4096);
    const cleaning = await start({ kind: "clean up" }, [], output);
    const timeout = AbortSignal.timeout(cleanUpLimit);
    const over = Promise.withResolvers<void>();
    timeout.addEventListener("abort", () => over.resolve(), { once: true });
    await Promise.race([cleaning.ended, over.promise]);
    cleaning.release();
    if (timeout.aborted) return false;
    const end = await cleaning.readEnd();
    await cleaning.drain();
    if (end.kind === "not run" || end.exitCode !== 0) return false;
    memoryKills = Math.max(memoryKills, Number.parseInt(output.stdout(), 10) || 0);
    return true;
  }

  /** Whatever happens in here, nothing of the command is alive afterwards, unless the engine is gone. */
  async function cleanUp(): Promise<"clean" | "lost"> {
    try {
      for (let tries = 0; tries < cleanUpTries; tries += 1) if (await tryCleanUp()) return "clean";
      // A full process table, or a command that fights back.
      await container.kill({ abortSignal: AbortSignal.timeout(callLimits.call) });
      lose("what a command had left behind could not be cleared away");
      return "clean";
    } catch {
      // With the container that is given up for lost all that runs in it is removed.
      lose("it has ended, or the engine");
      return "lost";
    }
  }

  async function follow(command: RunnerCommand): Promise<RunnerOutcome> {
    const output = createOutputCollector(command.outputBytes, command.onOutput);
    const { command: text, cwd, signal } = command;
    const began = Date.now();
    const cut = watchLimits(command, output);
    let work: ExecProcess;
    try {
      work = await start({ kind: "command", command: text, cwd }, command.environment, cut.output);
    } catch (error) {
      cut.release();
      return describeStartFault(error);
    }
    const ending = await Promise.race([work.ended.then(() => "exited" as const), cut.ending]);
    const durationMs = Date.now() - began;
    work.release();
    cut.release();
    const wasAlive = ending === "exited" ? await readExit(work) : undefined;
    const before = memoryKills;
    const cleared = await cleanUp();
    await work.drain();
    if (signal.aborted && ending === "stopped") return { kind: "stopped", started: true };
    if (cleared === "lost" || wasAlive === "lost") return { ...lostNow(), started: true };
    if (wasAlive?.kind === "not run") {
      return {
        kind: "refused",
        reason: `The command could not be started in the container (${output.stdout().trim()}).`,
      };
    }
    return {
      kind: "finished",
      exitCode: wasAlive?.exitCode ?? 137,
      stdout: output.stdout(),
      stderr: output.stderr(),
      timedOut: ending === "timeout",
      truncated: output.overflowed,
      outOfMemory: memoryKills > before,
      durationMs,
    };
  }

  async function readExit(work: ExecProcess): Promise<Awaited<ReturnType<ExecProcess["readEnd"]>> | "lost"> {
    try {
      return await work.readEnd();
    } catch {
      // What it came to is not known any more; the clean-up finds out what is left of the container.
      lose("it has ended, or the engine");
      return "lost";
    }
  }

  function lostNow(): Extract<typeof state, { kind: "lost" }> {
    lose("it has ended, or the engine");
    return state as Extract<typeof state, { kind: "lost" }>;
  }

  /** Throws what the engine refused for a reason that another container would not mend. */
  function describeStartFault(error: unknown): RunnerOutcome {
    if (error instanceof ExecLost) return { ...lostNow(), started: true };
    lose("it has ended, or the engine");
    if (isGone(error)) return { ...lostNow(), started: false };
    throw error;
  }

  stream.on("end", () => lose("it has ended, or the engine"));
  stream.on("close", () => lose("the stream to it was closed"));
  stream.on("error", (error) => lose(`the stream to it broke: ${error.message}`));
  // Nobody is meant to write there; an engine must not block on it all the same.
  stream.resume();

  return {
    state: () => state,
    async run(command) {
      if (command.signal.aborted) return { kind: "stopped", started: false };
      if (state.kind === "lost") return { ...state, started: false };
      if (isBusy) return { kind: "refused", reason: "Another command is at work in this container." };
      if (command.command.includes("\0")) return { kind: "refused", reason: "The command holds a NUL character." };
      isBusy = true;
      try {
        return await follow(command);
      } finally {
        isBusy = false;
      }
    },
    close: () => lose("it was let go"),
  };
}

/** Settles with what cuts a command short, if anything does. */
function watchLimits(
  { timeoutMs, signal }: RunnerCommand,
  output: OutputCollector,
): { readonly output: OutputCollector; readonly ending: Promise<Ending>; release(): void } {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const stop = (): void => resolve("stopped");
  const timer = setTimeout(() => resolve("timeout"), timeoutMs);
  signal.addEventListener("abort", stop, { once: true });
  const watched: OutputCollector = {
    ...output,
    get overflowed() {
      return output.overflowed;
    },
    write(piece) {
      // After the cap the stream is still drained, so that the engine never blocks on it.
      if (!output.overflowed) output.write(piece);
      if (output.overflowed) resolve("overflow");
    },
  };
  return {
    output: watched,
    ending: promise,
    release() {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    },
  };
}
