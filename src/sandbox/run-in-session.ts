import { buildEnvironment } from "./container-spec.ts";
import { isGone } from "./engine-faults.ts";
import type { EngineView } from "./engine-view.ts";
import { RunnerUnusable, type SessionContainer } from "./session-container.ts";
import type { SessionNeed, SessionPool } from "./session-pool.ts";
import type { SandboxCommand, SandboxOutcome } from "./types.ts";

const again = "Run the command again if it is still wanted.";

/** Runs a command in its session's container. Throws the engine's errors and RunnerUnusable: then nothing has run. */
export async function runInSession(parts: {
  readonly pool: SessionPool;
  readonly engine: EngineView;
  readonly need: SessionNeed;
  readonly command: SandboxCommand;
  readonly outputBytes: number;
  readonly signal: AbortSignal;
}): Promise<SandboxOutcome> {
  // A container that was lost while idle is replaced once; the second loss is reported.
  return (await tryOnce(parts, false)) ?? (await tryOnce(parts, true)) ?? { kind: "stopped", started: false };
}

type Parts = Parameters<typeof runInSession>[0];

/** Undefined when nothing has run, and another container may do. */
async function tryOnce(parts: Parts, isLast: boolean): Promise<SandboxOutcome | undefined> {
  const { pool, need, command, outputBytes, signal } = parts;
  try {
    const { container, giveBack } = await pool.take(need, signal);
    try {
      const { onOutput, onStdout, stdin, environment, cwd, timeoutMs } = command;
      const outcome = await container.runner.run({
        command: command.command,
        cwd,
        timeoutMs,
        environment: buildEnvironment(environment),
        outputBytes: command.outputBytes ?? outputBytes,
        signal,
        // /tmp begins empty, as it does where a command is previewed: nothing but the workspace goes from one to the next.
        fresh: true,
        ...(onOutput === undefined ? {} : { onOutput }),
        ...(onStdout === undefined ? {} : { onStdout }),
        ...(stdin === undefined ? {} : { stdin }),
      });
      switch (outcome.kind) {
        case "finished": {
          const { durationMs: _, ...finished } = outcome;
          return finished;
        }
        case "stopped":
          return outcome;
        case "refused":
          return {
            kind: "unavailable",
            reason: outcome.reason,
            remedy: "Make the command shorter, or run it again.",
            started: false,
          };
        case "lost":
          if (!outcome.started && !isLast) return undefined;
          return await describeLoss(parts, container, outcome);
      }
    } finally {
      giveBack();
    }
  } catch (error) {
    if (signal.aborted) return { kind: "stopped", started: false };
    if (!isLast && (isGone(error) || error instanceof RunnerUnusable)) return undefined;
    throw error;
  }
}

async function describeLoss(
  { engine }: Parts,
  container: SessionContainer,
  lost: { readonly reason: string; readonly started: boolean },
): Promise<SandboxOutcome> {
  const { reason, cause } = await container.explainLoss(lost.reason);
  const remedy = cause === undefined ? again : engine.noteFault(cause).remedy;
  return { kind: "unavailable", reason, remedy, started: lost.started };
}
