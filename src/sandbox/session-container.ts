import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import type { Logger } from "pino";
import { attachStream } from "./attach-stream.ts";
import { callLimits, createContainer, removeContainer } from "./container-calls.ts";
import { readStatusCode } from "./engine-faults.ts";
import { lossReasons } from "./run-container.ts";
import { createRunnerClient, type RunnerClient } from "./runner/runner-client.ts";
import type { Semaphore } from "../core/semaphore.ts";

/** The container is there, but what is in it is no runner of ours, or does not get to its first word. */
export class RunnerUnusable extends Error {
  override readonly name = "RunnerUnusable";
}

/** With its end the engine removes it, so the two look the same. */
const endedReason = "The container ended, or was removed by somebody else, while the command ran.";

/** A started container that takes commands by its runner. */
export interface SessionContainer {
  readonly runner: Pick<RunnerClient, "run" | "state">;
  /** Why it is lost, asked of the engine. `cause` = the engine itself is at fault. */
  explainLoss(reason: string): Promise<{ readonly reason: string; readonly cause?: unknown }>;
  /** Kills everything that runs in it. */
  remove(): Promise<void>;
}

/** Throws the engine's errors, RunnerUnusable and ImageChanged; then no container is left. */
export async function startSessionContainer(parts: {
  readonly docker: Docker;
  readonly spec: Docker.ContainerCreateOptions;
  /** Content digest that it must be of. */
  readonly image: string;
  readonly starts: Semaphore;
  readonly signal: AbortSignal;
  readonly log: Pick<Logger, "warn">;
}): Promise<SessionContainer> {
  const { docker, spec, starts, signal, log } = parts;
  const release = await starts.acquire(signal);
  let container: Docker.Container | undefined;
  try {
    signal.throwIfAborted();
    container = await createContainer(docker, spec, parts);
    const stream = await attachStream(docker, container.id);
    const runner = await startRunner(container, stream);
    return describeContainer(container, runner, log);
  } catch (error) {
    if (container !== undefined) await removeContainer(container, log);
    throw error;
  } finally {
    release?.();
  }
}

async function startRunner(container: Docker.Container, stream: Duplex): Promise<RunnerClient> {
  const runner = createRunnerClient({ stream });
  try {
    await container.start({ abortSignal: AbortSignal.timeout(callLimits.start) });
  } catch (error) {
    runner.close();
    throw error;
  }
  const opened = await runner.opened;
  if (opened.kind === "lost") throw new RunnerUnusable(opened.reason);
  return runner;
}

function describeContainer(
  container: Docker.Container,
  runner: RunnerClient,
  log: Pick<Logger, "warn">,
): SessionContainer {
  return {
    runner,
    async explainLoss(reason) {
      try {
        const { State } = await container.inspect({ abortSignal: AbortSignal.timeout(callLimits.call) });
        if (State.OOMKilled) return { reason: "The container ran out of memory and ended." };
        return { reason: State.Running && !State.Dead ? reason : endedReason };
      } catch (cause) {
        return readStatusCode(cause) === 404 ? { reason: endedReason } : { reason: lossReasons.engine, cause };
      }
    },
    async remove() {
      // In this order: a container whose runner has ended is being removed by the engine, and is still there for a moment.
      await removeContainer(container, log);
      runner.close();
    },
  };
}
