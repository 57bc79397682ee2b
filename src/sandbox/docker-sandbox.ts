import type Docker from "dockerode";
import type { Logger } from "pino";
import { sleep } from "../core/abort.ts";
import type { Clock } from "../core/clock.ts";
import { browserLimits } from "./browser-program.ts";
import { createCommandContainers, describeNeed } from "./command-containers.ts";
import { chooseContainerIdentity } from "./container-identity.ts";
import { boundLimits, buildContainerSpec, createRunId, type ContainerProgram } from "./container-spec.ts";
import type { Egress } from "./egress/open-egress.ts";
import { createEngineView, type SeenImage } from "./engine-view.ts";
import { createKeyedQueue } from "./keyed-queue.ts";
import { createOpenings } from "./open-in-container.ts";
import { openProgram } from "./open-program.ts";
import { checkSession, createMountCheck } from "./mount-check.ts";
import { writeSeccompFile } from "./seccomp-profile.ts";
import { createSemaphore } from "../core/semaphore.ts";
import { startSessionContainer } from "./session-container.ts";
import { createSessionPool, type SessionPoolLimits } from "./session-pool.ts";
import { sweepContainers, type Swept } from "./sweep-containers.ts";
import type {
  Sandbox,
  SandboxCommand,
  SandboxLimits,
  SandboxOutcome,
  SandboxStatus,
  WorkspaceLimits,
} from "./types.ts";
import { createWorkspaceLimit } from "./workspace-limit.ts";

/** The settings that may change while it is open: a container is made by what holds at its start. */
export interface SandboxSettings {
  readonly image: string;
  /** The image of Chromium; absent when no browser runs in a container. */
  readonly browserImage?: string;
  readonly limits?: Partial<SandboxLimits>;
  readonly workspaceLimits?: WorkspaceLimits;
  readonly runtime?: string;
  /** Commands at once, default 4; the others wait in order. */
  readonly concurrency?: number;
  /** Limits of kept containers; default 10 minutes idle, 6 hours or 500 commands in all, 8 at once. */
  readonly sessions?: Partial<SessionPoolLimits>;
  /** The way to hosts; absent when no command reaches any. */
  readonly egress?: Egress;
}

export interface DockerSandboxOptions {
  readonly docker: Docker;
  /** As of now. */
  readonly settings: () => SandboxSettings;
  /**
   * The folder that all workspaces are in: no command runs before a container was seen to get it. Absent when this is
   * not checked.
   */
  readonly workspaces?: string;
  /** Where the system call filter is kept for an engine that reads it from a file: nothing that commands can reach. */
  readonly seccompFile?: string;
  /** Names what no two running processes share, such as a hash of the data folder: the sweep keeps to it. */
  readonly installation: string;
  /** New at every start of the process. */
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}

export interface DockerSandbox extends Sandbox {
  /** Why no container can be started as things are, seen by starting one. */
  findFault(): Promise<{ readonly reason: string; readonly remedy: string } | undefined>;
}

const startsAtOnce = 2;
const briefAtOnce = 4;
/** After an engine came back, which may take a while to give up what ran when it was lost. */
const afterLoss = { sweeps: 12, everyMs: 10_000 };

/** Milliseconds. */
const mountCheckLimit = 30_000;
const defaultSessions: SessionPoolLimits = { idleMs: 600_000, ageMs: 6 * 3_600_000, commands: 500, kept: 8 };
const defaultWorkspace: WorkspaceLimits = { bytes: 1024 ** 3, files: 100_000 };

/**
 * One container per session, kept between its commands and never shared: no network, no rights, read-only but for the
 * workspace. A command that asks for a fresh one, or may reach hosts, gets one of its own that is thrown away; so does
 * every command where the image holds no runner.
 */
export function createDockerSandbox(options: DockerSandboxOptions): DockerSandbox {
  const { docker, log, clock, installation, instance, settings } = options;
  const engine = createEngineView({ docker, images: settings });
  const identity = chooseContainerIdentity(process.getuid?.(), process.getgid?.());
  const limits = () => boundLimits(settings().limits ?? {});
  const sessionLimits = () => ({ ...defaultSessions, ...settings().sessions });
  // Each running command holds a container, and no more than that are kept.
  const countPlaces = () => Math.min(settings().concurrency ?? 4, sessionLimits().kept);
  const places = createSemaphore(countPlaces);
  // Places from the containers that those leave, so that a few long commands do not block all file actions.
  const countSpare = () => Math.min(briefAtOnce, sessionLimits().kept - countPlaces());
  const briefPlaces = createSemaphore(countSpare);
  /** A container made with other settings cannot be reused. */
  const make = () => JSON.stringify([settings().image, settings().runtime, limits()]);
  const starts = createSemaphore(startsAtOnce);
  const queues = createKeyedQueue();
  const workspaceLimit = createWorkspaceLimit(() => settings().workspaceLimits ?? defaultWorkspace);
  const stopping = new AbortController();
  const running = new Map<string, Promise<unknown>>();
  let [hasBegun, lostEngine] = [false, false];

  function buildSpec(
    run: string,
    program: ContainerProgram,
    place: Pick<SandboxCommand, "session"> & Partial<Pick<SandboxCommand, "workspace" | "environment">>,
  ): Docker.ContainerCreateOptions {
    const { runtime, ...images } = settings();
    const { session, workspace, environment } = place;
    const isBrowser = program.kind === "browser";
    const image = isBrowser ? (images.browserImage ?? "") : images.image;
    hasBegun = true;
    const { seccompFile } = options;
    const podman = engine.isPodman() && seccompFile !== undefined ? { podman: { seccompFile } } : {};
    if (podman.podman !== undefined) writeSeccompFile(podman.podman.seccompFile);
    const variables = environment === undefined ? {} : { environment };
    const fixed = {
      image,
      installation,
      instance,
      limits: isBrowser ? browserLimits : limits(),
      ...(runtime === undefined ? {} : { runtime }),
    };
    return buildContainerSpec({
      ...fixed,
      ...podman,
      identity,
      run,
      program,
      session,
      ...(workspace !== undefined && { workspace }),
      ...variables,
    });
  }

  const pool = createSessionPool({
    limits: sessionLimits,
    make,
    clock,
    open({ session, workspace, image }) {
      const run = createRunId();
      const spec = buildSpec(run, { kind: "runner" }, { session, workspace });
      const parts = { docker, spec, image, starts, log, signal: stopping.signal };
      return { run, opening: startSessionContainer(parts) };
    },
  });

  const commands = createCommandContainers({
    docker,
    engine,
    pool,
    starts,
    log,
    outputBytes: () => limits().outputBytes,
    egress: () => settings().egress,
    make,
    seeImage,
    buildSpec,
  });

  const mountCheck =
    options.workspaces === undefined
      ? undefined
      : createMountCheck({
          workspaces: options.workspaces,
          identity,
          log,
          async read(workspace, file) {
            const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(mountCheckLimit)]);
            const command = { command: `cat ${file}`, cwd: ".", timeoutMs: mountCheckLimit, session: checkSession };
            return register((run) => commands.runAlone({ ...command, workspace, signal }, run, signal));
          },
        });

  /** The known state of the engine, unless its containers get other folders. */
  function withMount(status: SandboxStatus): SandboxStatus {
    const found = mountCheck?.last();
    if (status.state !== "ready" || found?.kind !== "other") return status;
    const { engineVersion } = status;
    return { state: "workspace-unseen", detail: found.reason, remedy: found.remedy, engineVersion };
  }

  async function examine(): Promise<SandboxStatus> {
    const status = await look();
    if (status.state === "ready") await mountCheck?.look();
    return withMount(engine.last());
  }

  async function seeImage(): Promise<SeenImage | undefined> {
    // Once more: an engine on a busy machine may answer late, and its kind decides how it is asked.
    for (let looks = 0; looks < 2 && engine.image() === undefined; looks += 1) await engine.look();
    return engine.image();
  }

  async function runInPlace(command: SandboxCommand, run: string, signal: AbortSignal): Promise<SandboxOutcome> {
    const mount = await mountCheck?.look();
    if (mount !== undefined && mount.kind !== "same") {
      return { kind: "unavailable", reason: mount.reason, remedy: mount.remedy, started: false };
    }
    return workspaceLimit.hold(command, (held) => commands.runSomewhere(held, run, signal));
  }

  async function runInTurn(command: SandboxCommand, run: string): Promise<SandboxOutcome> {
    const signal = AbortSignal.any([command.signal, stopping.signal]);
    const turns = [
      () => queues.acquire(`workspace ${command.workspace}`, signal),
      ...(command.fresh === true || (command.network ?? []).length > 0
        ? []
        : [() => queues.acquire(`session ${command.session}`, signal)]),
      () => (command.brief === true && countSpare() > 0 ? briefPlaces : places).acquire(signal),
    ];
    const held: (() => void)[] = [];
    try {
      for (const wait of turns) {
        const release = await wait();
        if (release === undefined) return { kind: "stopped", started: false };
        held.push(release);
      }
      return await runInPlace(command, run, signal);
    } finally {
      for (const release of held.toReversed()) release();
    }
  }

  /**
   * An engine that went away and is there again may have a container of ours that never got to its start, or could not be
   * removed: such a one does not go by itself.
   */
  async function look(): Promise<SandboxStatus> {
    if (hasBegun && engine.last().state === "engine-missing") lostEngine = true;
    const status = await engine.look();
    if (status.state !== "ready") return withMount(status);
    if (lostEngine && !stopping.signal.aborted) void sweepAfterLoss();
    lostEngine = false;
    return withMount(status);
  }

  async function sweep(): Promise<Swept> {
    await pool.tend();
    try {
      const isRunning = (run: string): boolean => running.has(run) || pool.runs().includes(run);
      return await sweepContainers({ docker, installation, instance, isRunning, log });
    } catch (error) {
      engine.noteFault(error);
      log.warn({ error }, "left-over sandbox containers could not be looked for");
      return { removed: 0, left: undefined };
    }
  }

  /** At least twice: the first may come while a lost container still counts as kept. Then until none is left. */
  async function sweepAfterLoss(): Promise<void> {
    for (let sweeps = 1; sweeps <= afterLoss.sweeps; sweeps += 1) {
      const { left } = await sweep();
      if (sweeps > 1 && left === 0) return;
      if (!(await sleep(afterLoss.everyMs, stopping.signal, { ref: false }))) return;
    }
  }

  /** So that no sweep takes it for left over, and a stop waits for it. */
  async function register(begin: (run: string) => Promise<SandboxOutcome>): Promise<SandboxOutcome> {
    const id = createRunId();
    const work = begin(id);
    running.set(id, work);
    try {
      return await work;
    } finally {
      running.delete(id);
    }
  }

  const openings = createOpenings({
    async start(spec, program) {
      await seeImage();
      const signal = AbortSignal.any([program.signal, stopping.signal]);
      const { imageId, onErrorOutput } = program;
      return openProgram({ docker, spec: spec(), image: imageId, starts, signal, onErrorOutput, log });
    },
    buildSpec,
    async refuse() {
      const mount = await mountCheck?.look();
      return mount === undefined || mount.kind === "same" ? undefined : { ...mount, kind: "unavailable" };
    },
    noteFault: engine.noteFault,
    running,
  });

  return {
    status: look,
    examine,
    async findImage(session) {
      // The waiting container keeps the image it was made from, even when the name means another one by now.
      const kept = session === undefined ? undefined : pool.imageOf(session);
      if (kept !== undefined && kept === engine.image()?.id) return kept;
      await engine.look();
      return engine.image()?.id;
    },
    lastStatus: () => withMount(engine.last()),
    run: (command) => register((run) => runInTurn(command, run)),
    async warm(place) {
      try {
        const image = stopping.signal.aborted ? undefined : await seeImage();
        if (image?.hasRunner === true && !stopping.signal.aborted) await pool.warm(describeNeed(place, image, make()));
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ error }, "a container could not be made ready before its command");
      }
    },
    checkWorkspace: workspaceLimit.check,
    open: openings.open,
    openBrowser: openings.openBrowser,
    sweep: async () => (await sweep()).removed,
    async findFault() {
      const status = await look();
      if (status.state !== "ready") return { reason: status.detail, remedy: status.remedy };
      const mount = await mountCheck?.look();
      return mount === undefined || mount.kind === "same" ? undefined : mount;
    },
    async stop() {
      stopping.abort();
      await openings.close();
      await Promise.allSettled(running.values());
      await pool.stop();
    },
  };
}
