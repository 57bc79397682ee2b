import { AppError } from "../core/errors.ts";
import { createDockerSandbox, type DockerSandboxOptions } from "./docker-sandbox.ts";
import type { Sandbox, SandboxStatus } from "./types.ts";

/** The sandbox as configured, looked at once. */
export async function openSandbox(
  options: Omit<DockerSandboxOptions, "docker"> & {
    readonly workspaces: string;
    readonly enabled: boolean;
    /** As the DOCKER_HOST variable: `unix:///…`, `tcp://…`; absent = the engine's usual socket. */
    readonly dockerHost?: string;
  },
): Promise<Sandbox> {
  if (!options.enabled) return createOffSandbox();
  const { default: Docker } = await import("dockerode");
  const sandbox = createDockerSandbox({ ...options, docker: new Docker(readAddress(options.dockerHost)) });
  await sandbox.status();
  return sandbox;
}

function readAddress(host: string | undefined) {
  if (host === undefined) return { socketPath: "/var/run/docker.sock" };
  const url = URL.parse(host);
  if (url?.protocol === "unix:") return { socketPath: url.pathname };
  if (url && ["tcp:", "http:"].includes(url.protocol))
    return { host: url.hostname, port: url.port || 2375, protocol: "http" as const };
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
