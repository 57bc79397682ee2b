import { randomBytes } from "node:crypto";
import type Docker from "dockerode";
import type { Clock } from "../../core/clock.ts";
import type { Logger } from "pino";
import { chooseContainerIdentity } from "./container-identity.ts";
import { boundLimits, buildContainerSpec } from "./container-spec.ts";
import { describeEngineFault } from "./engine-faults.ts";
import { ContainerLost, runContainer } from "./run-container.ts";
import { createSemaphore } from "./semaphore.ts";
import { sweepContainers } from "./sweep-containers.ts";
import { within } from "./within.ts";
import type { Sandbox, SandboxCommand, SandboxLimits, SandboxOutcome, SandboxStatus } from "./types.ts";

export interface DockerSandboxOptions {
  readonly docker: Docker;
  readonly image: string;
  /** Names what no two running processes share, such as a hash of the data folder: the sweep keeps to it. */
  readonly installation: string;
  /** New at every start of the process. */
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  readonly limits?: Partial<SandboxLimits>;
  readonly runtime?: string;
  /** Commands at once, default 4; the others wait in order. */
  readonly concurrency?: number;
}

const statusLimit = 5_000;
const startsAtOnce = 2;

/** Each command gets a container of its own that is thrown away: no network, no rights, read-only but for the workspace. */
export function createDockerSandbox(options: DockerSandboxOptions): Sandbox {
  const { docker, image, log } = options;
  const names = { address: describeAddress(docker), image };
  const identity = chooseContainerIdentity(process.getuid?.(), process.getgid?.());
  const limits = boundLimits(options.limits ?? {});
  const places = createSemaphore(options.concurrency ?? 4);
  const starts = createSemaphore(startsAtOnce);
  const stopping = new AbortController();
  const running = new Map<string, Promise<unknown>>();
  let last: SandboxStatus = {
    state: "engine-missing",
    detail: "The container engine has not been looked at yet.",
    remedy: "Try again in a moment.",
  };

  /** Writes a fault of the engine into the status, so that the shell is not offered until the engine is back. */
  function noteFault(error: unknown): { reason: string; remedy: string } {
    const { state, reason, remedy } = describeEngineFault(error, names);
    if (state !== undefined) last = { state, detail: reason, remedy };
    return { reason, remedy };
  }

  async function status(): Promise<SandboxStatus> {
    try {
      const engine = await within(statusLimit, docker.version());
      const found = await within(statusLimit, docker.getImage(image).inspect());
      last = {
        state: "ready",
        detail: `Container engine ${engine.Version}, image ${image} (${Math.round(found.Size / 1e6)} MB).`,
        engineVersion: engine.Version,
        image: { name: image, id: found.Id, sizeBytes: found.Size },
      };
    } catch (error) {
      noteFault(error);
    }
    return last;
  }

  async function runOne(command: SandboxCommand, run: string, signal: AbortSignal): Promise<SandboxOutcome> {
    const release = await places.acquire(signal);
    if (release === undefined) return { kind: "stopped", started: false };
    try {
      const { onOutput, environment } = command;
      const spec = buildContainerSpec({
        image,
        command: command.command,
        cwd: command.cwd,
        workspace: command.workspace,
        session: command.session,
        installation: options.installation,
        instance: options.instance,
        run,
        identity,
        limits,
        ...(environment === undefined ? {} : { environment }),
        ...(options.runtime === undefined ? {} : { runtime: options.runtime }),
      });
      return await runContainer({
        docker,
        spec,
        timeoutMs: command.timeoutMs,
        outputBytes: limits.outputBytes,
        signal,
        starts,
        log,
        ...(onOutput === undefined ? {} : { onOutput }),
      });
    } catch (error) {
      if (!(error instanceof ContainerLost)) return { kind: "unavailable", ...noteFault(error), started: false };
      const remedy =
        error.cause === undefined ? "Run the command again if it is still wanted." : noteFault(error.cause).remedy;
      return { kind: "unavailable", reason: error.message, remedy, started: true };
    } finally {
      release();
    }
  }

  async function run(command: SandboxCommand): Promise<SandboxOutcome> {
    const id = randomBytes(8).toString("hex");
    const work = runOne(command, id, AbortSignal.any([command.signal, stopping.signal]));
    running.set(id, work);
    try {
      return await work;
    } finally {
      running.delete(id);
    }
  }

  async function sweep(): Promise<number> {
    const { installation, instance } = options;
    try {
      const ids = new Set(running.keys());
      return await sweepContainers({ docker, installation, instance, running: ids, now: options.clock.now(), log });
    } catch (error) {
      noteFault(error);
      log.warn({ error }, "left-over sandbox containers could not be looked for");
      return 0;
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.allSettled(running.values());
  }

  return { status, lastStatus: () => last, run, sweep, stop };
}

function describeAddress(docker: Docker): string {
  const { host, port, protocol, socketPath } = docker.modem as unknown as Record<string, unknown>;
  if (typeof host === "string") return `${String(protocol)}://${host}:${String(port)}`;
  return typeof socketPath === "string" ? socketPath : "/var/run/docker.sock";
}
