import { Agent } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { dropUnset } from "../core/drop-unset.ts";
import { AppError } from "../core/errors.ts";
import {
  createDockerSandbox,
  type DockerSandbox,
  type DockerSandboxOptions,
  type SandboxSettings,
} from "./docker-sandbox.ts";
import type { Sandbox, SandboxStatus } from "./types.ts";

/** The sandbox as the operator wants it. */
export interface SandboxChoice extends SandboxSettings {
  readonly enabled: boolean;
}

export interface OpenedSandbox extends Sandbox {
  /**
   * Takes another choice for what begins from now on. Where commands ran so far, a container of its making is started first:
   * answers why the old image, limits and runtime stay, and what to do.
   */
  follow(next: SandboxChoice): Promise<string | undefined>;
}

/** The sandbox as configured, looked at once. */
export async function openSandbox(
  options: Omit<DockerSandboxOptions, "docker" | "settings"> & {
    readonly workspaces: string;
    readonly choice: SandboxChoice;
    /** As the DOCKER_HOST variable: `unix:///…`, `tcp://…`; absent means the engine's default socket. */
    readonly dockerHost?: string;
  },
): Promise<OpenedSandbox> {
  const off = createOffSandbox();
  let { choice } = options;
  let opened: DockerSandbox | undefined;
  let trying: Promise<unknown> = Promise.resolve();

  async function open(settings: () => SandboxSettings): Promise<DockerSandbox> {
    const { default: Docker } = await import("dockerode");
    return createDockerSandbox({ ...options, settings, docker: new Docker(readAddress(options.dockerHost)) });
  }

  const now = (): Sandbox => (choice.enabled && opened) || off;

  async function tryOut(next: SandboxChoice): Promise<string | undefined> {
    const trial = await open(() => next);
    try {
      const fault = await trial.findFault();
      return fault && `${fault.reason} ${fault.remedy}`;
    } finally {
      await trial.stop();
    }
  }

  async function follow(next: SandboxChoice): Promise<string | undefined> {
    const works = now().lastStatus().state === "ready";
    if (next.enabled && works && !isDeepStrictEqual(pickMaking(next), pickMaking(choice))) {
      const trial = tryOut(next);
      trying = trial;
      const fault = await trial;
      if (fault !== undefined) {
        const { image: _, limits: __, runtime: ___, ...rest } = next;
        choice = { ...rest, ...pickMaking(choice) };
        return fault;
      }
    }
    if (next.enabled) opened ??= await open(() => choice);
    choice = next;
    await now().status();
    return undefined;
  }

  if (choice.enabled) {
    opened = await open(() => choice);
    await opened.status();
  }
  return {
    follow,
    status: () => now().status(),
    examine: () => now().examine(),
    findImage: (session) => now().findImage(session),
    lastStatus: () => now().lastStatus(),
    run: (command) => now().run(command),
    open: (program) => now().open(program),
    openBrowser: (browser) => now().openBrowser(browser),
    warm: (place) => now().warm(place),
    // Commands that run still write after it is switched off.
    checkWorkspace: (workspace) => (opened ?? off).checkWorkspace(workspace),
    async sweep() {
      // It would take a container that is being tried for one that was left.
      await trying.catch(() => undefined);
      return (await opened?.sweep()) ?? 0;
    },
    stop: async () => opened?.stop(),
  };
}

/** The settings that a container is made by. */
function pickMaking({ image, runtime, limits }: SandboxSettings) {
  return { image, ...dropUnset({ limits, runtime }) };
}

function readAddress(host: string | undefined) {
  if (host === undefined) return { socketPath: "/var/run/docker.sock" };
  const url = URL.parse(host);
  if (url?.protocol === "unix:") return { socketPath: url.pathname };
  if (url && ["tcp:", "http:"].includes(url.protocol))
    // An agent of its own: no proxy of the environment comes between us and the engine.
    return { host: url.hostname, port: url.port || 2375, protocol: "http" as const, agent: new Agent() };
  throw new AppError("CONFIG_INVALID", `environment DOCKER_HOST: ${host} is neither unix:// nor tcp://`);
}

/** The sandbox of an operator who wants none: nothing runs. */
export function createOffSandbox(): Sandbox {
  const status: SandboxStatus = {
    state: "off",
    detail: "The sandbox is switched off.",
    remedy: "Set `enabled: true` in config/system/sandbox.yaml.",
  };
  return {
    status: () => Promise.resolve(status),
    examine: () => Promise.resolve(status),
    findImage: () => Promise.resolve(undefined),
    lastStatus: () => status,
    run: () => Promise.resolve({ kind: "unavailable", reason: status.detail, remedy: status.remedy, started: false }),
    open: () => Promise.resolve({ kind: "unavailable", reason: status.detail, remedy: status.remedy }),
    openBrowser: () => Promise.resolve({ kind: "unavailable", reason: status.detail, remedy: status.remedy }),
    warm: () => Promise.resolve(),
    checkWorkspace: () => Promise.resolve(undefined),
    sweep: () => Promise.resolve(0),
    stop: () => Promise.resolve(),
  };
}
