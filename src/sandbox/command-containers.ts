import { buildImageCommand } from "../core/kurisu-command.ts";
import type Docker from "dockerode";
import type { Logger } from "pino";
import { describeError } from "../core/errors.ts";
import type { Semaphore } from "../core/semaphore.ts";
import { ImageChanged, imageChanged } from "./container-calls.ts";
import type { ContainerProgram } from "./container-spec.ts";
import type { Egress, EgressGrant } from "./egress/open-egress.ts";
import { readStatusCode } from "./engine-faults.ts";
import type { EngineView, SeenImage } from "./engine-view.ts";
import { ContainerLost, runContainer } from "./run-container.ts";
import { runInSession } from "./run-in-session.ts";
import { RunnerUnusable } from "./session-container.ts";
import type { SessionNeed, SessionPool } from "./session-pool.ts";
import type { SandboxCommand, SandboxOutcome } from "./types.ts";

/** The containers that a command can run in: its own, one with a way to hosts, or its session's. Nothing of it throws. */
export interface CommandContainers {
  /** `run` names the container if it is the command's own. */
  runSomewhere(command: SandboxCommand, run: string, signal: AbortSignal): Promise<SandboxOutcome>;
  runAlone(command: SandboxCommand, run: string, signal: AbortSignal): Promise<SandboxOutcome>;
}

export function createCommandContainers(parts: {
  readonly docker: Docker;
  readonly engine: EngineView;
  readonly pool: SessionPool;
  readonly starts: Semaphore;
  readonly log: Pick<Logger, "warn">;
  readonly outputBytes: () => number;
  readonly egress: () => Egress | undefined;
  /** The present making of a container, as one text. */
  readonly make: () => string;
  /** Asks the engine if nothing is known yet. */
  readonly seeImage: () => Promise<SeenImage | undefined>;
  readonly buildSpec: (
    run: string,
    program: ContainerProgram,
    place: Pick<SandboxCommand, "session" | "workspace" | "environment">,
  ) => Docker.ContainerCreateOptions;
}): CommandContainers {
  const { docker, engine, pool, starts, log, seeImage, buildSpec } = parts;

  async function runAlone(
    command: SandboxCommand,
    run: string,
    signal: AbortSignal,
    egress?: string,
  ): Promise<SandboxOutcome> {
    // The kind of engine decides how it is asked.
    await seeImage();
    const { onOutput, timeoutMs, cwd, image } = command;
    const way = egress === undefined ? {} : { egress };
    const spec = buildSpec(run, { kind: "command", command: command.command, cwd, ...way }, command);
    const output = onOutput === undefined ? {} : { onOutput };
    return runContainer({
      docker,
      spec,
      image,
      timeoutMs,
      outputBytes: parts.outputBytes(),
      signal,
      starts,
      log,
      ...output,
    });
  }

  function refuseInput(): SandboxOutcome {
    const reason = "The sandbox image holds no runner of this version, so nothing can be handed to a command.";
    const remedy = `Build the image: ${buildImageCommand}.`;
    return { kind: "unavailable", reason, remedy, started: false };
  }

  async function runKept(command: SandboxCommand, image: SeenImage, signal: AbortSignal) {
    if (command.image !== undefined && command.image !== image.id)
      throw new ImageChanged(`there is ${image.id}, and not ${command.image}`);
    const need = describeNeed(command, image, parts.make());
    return runInSession({ pool, engine, need, command, outputBytes: parts.outputBytes(), signal });
  }

  async function runSomewhere(command: SandboxCommand, run: string, signal: AbortSignal): Promise<SandboxOutcome> {
    const { network = [] } = command;
    if (network.length > 0) {
      const runWith = (folder: string) => runAlone(command, run, signal, folder);
      return runConnected({
        command: { ...command, network },
        run,
        egress: parts.egress(),
        image: await seeImage(),
        runWith,
      });
    }
    const image = command.fresh === true ? undefined : await seeImage();
    if (command.stdin !== undefined && image?.hasRunner !== true) return refuseInput();
    if (image?.hasRunner !== true) return runAlone(command, run, signal);
    try {
      return await runKept(command, image, signal);
    } catch (error) {
      const maybeOld = error instanceof RunnerUnusable || error instanceof ImageChanged;
      if (!maybeOld && readStatusCode(error) === undefined) throw error;
      // The image may have been built again since it was looked at.
      await engine.look();
      const now = engine.image();
      if (command.stdin !== undefined && now?.hasRunner === false) return refuseInput();
      if (now === undefined || now.id === image.id) throw error;
      return await (now.hasRunner ? runKept(command, now, signal) : runAlone(command, run, signal));
    }
  }

  async function describeFaults(work: () => Promise<SandboxOutcome>): Promise<SandboxOutcome> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ImageChanged) return { kind: "unavailable", ...imageChanged, started: false };
      if (error instanceof RunnerUnusable) {
        const remedy = `Run the command again; if this stays, build the image again: ${buildImageCommand}.`;
        return { kind: "unavailable", reason: error.message, remedy, started: false };
      }
      if (!(error instanceof ContainerLost)) return { kind: "unavailable", ...engine.noteFault(error), started: false };
      const remedy =
        error.cause === undefined
          ? "Run the command again if it is still wanted."
          : engine.noteFault(error.cause).remedy;
      return { kind: "unavailable", reason: error.message, remedy, started: true };
    }
  }

  return {
    runSomewhere: (command, run, signal) => describeFaults(() => runSomewhere(command, run, signal)),
    runAlone: (command, run, signal) => describeFaults(() => runAlone(command, run, signal)),
  };
}

export function describeNeed(
  { session, workspace }: Pick<SandboxCommand, "session" | "workspace">,
  image: SeenImage,
  make: string,
): SessionNeed {
  return { session, workspace, image: image.id, make };
}

type ConnectedCommand = SandboxCommand & { readonly network: readonly string[] };

/**
 * A command that may reach hosts. It gets a container of its own: a socket that is mounted stays mounted, so a
 * container that was given one could never go back to having none.
 */
async function runConnected(parts: {
  readonly command: ConnectedCommand;
  readonly run: string;
  /** Absent when switched off. */
  readonly egress: Egress | undefined;
  readonly image: SeenImage | undefined;
  /** Runs it in a container with the proxy's folder. */
  readonly runWith: (folder: string) => Promise<SandboxOutcome>;
}): Promise<SandboxOutcome> {
  const { command, egress, image, run, runWith } = parts;
  if (egress === undefined) {
    const remedy = "Set `network: on` in sandbox.yaml, or do it without the network.";
    return { kind: "unavailable", reason: "Commands reach no network here.", remedy, started: false };
  }
  if (image?.hasRelay === false) {
    const reason = "The sandbox image is too old for a command with a network.";
    return { kind: "unavailable", reason, remedy: `Build it again: ${buildImageCommand}.`, started: false };
  }
  let grant: EgressGrant;
  try {
    grant = await egress.open(run, command.session, command.network);
  } catch (error) {
    const reason = `The folder of the command's network could not be made: ${describeError(error)}.`;
    return { kind: "unavailable", reason, remedy: "Tell the operator; the data folder is at fault.", started: false };
  }
  try {
    const outcome = await runWith(grant.folder);
    return outcome.kind === "finished" ? { ...outcome, network: grant.report() } : outcome;
  } finally {
    await grant.close();
  }
}
