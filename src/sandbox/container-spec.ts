import { randomBytes } from "node:crypto";
import type { ContainerCreateOptions } from "dockerode";
import type { ContainerIdentity } from "./container-identity.ts";
import { browserScratchBytes, browserScript } from "./browser-program.ts";
import { egressPlace } from "./egress/egress-place.ts";
import { buildSeccompProfile } from "./seccomp-profile.ts";
import type { SandboxLimits } from "./types.ts";

const mebibyte = 1024 * 1024;

/** Lowest, default and highest value of each limit. A value that is no number gets the default. */
const bounds: { readonly [Name in keyof SandboxLimits]: readonly [number, number, number] } = {
  memoryBytes: [32 * mebibyte, 512 * mebibyte, 1024 * 1024 * mebibyte],
  cpus: [0.05, 0.5, 256],
  pids: [8, 64, 32_768],
  outputBytes: [1024, mebibyte, 16 * mebibyte],
  fileBytes: [mebibyte, 128 * mebibyte, 4096 * mebibyte],
};

export const sandboxLabels = {
  sandbox: "kurisu.sandbox",
  installation: "kurisu.installation",
  instance: "kurisu.instance",
  session: "kurisu.session",
  run: "kurisu.run",
} as const;

const podmanProcesses = 8192;

const passedEnvironment = ["TZ", "LANG", "LC_ALL", "TERM", "COLUMNS", "NO_COLOR"];

const browserEnvironment = ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8"];

// cwd and command arrive as arguments, never inside the script, and the container's WorkingDir is never user input
// (CVE-2024-21626 was a working directory).
// "-c --": a command that looks like an option is a command.
const entryScript = 'cd -- "$0" || exit 1; exec bash --noprofile --norc -c -- "$1"';

/** The purpose of a container: one command, with which it ends; the runner, which takes one after another; a server; a browser. */
export type ContainerProgram =
  | {
      readonly kind: "command";
      readonly command: string;
      readonly cwd: string;
      /** Absolute folder on the engine's host with the proxy's socket; absent when it can reach nothing. */
      readonly egress?: string;
    }
  /** Runs for as long as a client is connected to its standard streams. */
  | { readonly kind: "server"; readonly command: string }
  | { readonly kind: "runner" }
  /** Chromium. `sockets` = absolute folder on the engine's host with its proxy's socket. It gets no workspace. */
  | { readonly kind: "browser"; readonly sockets: string };

export interface ContainerSpecInput {
  readonly image: string;
  readonly program: ContainerProgram;
  /** Absent when there is none: only browsers have none. */
  readonly workspace?: string;
  readonly session: string;
  readonly installation: string;
  readonly instance: string;
  readonly run: string;
  readonly identity: ContainerIdentity;
  readonly limits: Partial<SandboxLimits>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Set = the engine is Podman, which takes the system call filter only as a file on its host: this one. */
  readonly podman?: { readonly seccompFile: string };
  /** OCI runtime such as runsc or crun; absent means the engine's default. */
  readonly runtime?: string;
}

/** 16 hexadecimal digits that name a container. */
export const createRunId = (): string => randomBytes(8).toString("hex");

/** The limits as they will be enforced. */
export function boundLimits(limits: Partial<SandboxLimits>): SandboxLimits {
  const bound = (name: keyof SandboxLimits): number => {
    const [lowest, normal, highest] = bounds[name];
    const wanted = limits[name];
    return wanted === undefined || Number.isNaN(wanted) ? normal : Math.min(highest, Math.max(lowest, wanted));
  };
  return {
    memoryBytes: Math.floor(bound("memoryBytes")),
    cpus: bound("cpus"),
    pids: Math.floor(bound("pids")),
    outputBytes: Math.floor(bound("outputBytes")),
    fileBytes: Math.floor(bound("fileBytes")),
  };
}

/** `NAME=value`: the whole environment of a command. */
export function buildEnvironment(environment: Readonly<Record<string, string>> = {}): string[] {
  const fixed = {
    PATH: "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
    HOME: "/workspace",
    LANG: "C.UTF-8",
  };
  const passed = passedEnvironment.flatMap((name) => {
    const value = environment[name];
    return value === undefined || value.includes("\0") ? [] : [[name, value.slice(0, 256)] as const];
  });
  return Object.entries({ ...fixed, ...Object.fromEntries(passed) }).map(([name, value]) => `${name}=${value}`);
}

const relay = ["/usr/local/bin/kurisu-relay", String(egressPlace.port), `${egressPlace.folder}/${egressPlace.socket}`];

function buildProgram(program: ContainerProgram): Pick<ContainerCreateOptions, "Entrypoint" | "Cmd"> {
  const shell = ["bash", "--noprofile", "--norc", "-c"];
  switch (program.kind) {
    case "runner":
      return { Entrypoint: ["/usr/local/bin/kurisu-runner"], Cmd: [] };
    case "server":
      return { Entrypoint: [...shell, entryScript], Cmd: [".", program.command] };
    case "browser":
      return { Entrypoint: [...relay, ...shell, browserScript], Cmd: [] };
    case "command": {
      const way = program.egress === undefined ? [] : relay;
      return { Entrypoint: [...way, ...shell, entryScript], Cmd: [program.cwd, program.command] };
    }
  }
}

/** A program that ignores the variables reaches nothing: there is no other way out of the container. */
function buildProxyVariables(): string[] {
  const proxy = `http://127.0.0.1:${egressPlace.port}`;
  const names = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"];
  return [...names.map((name) => `${name}=${proxy}`), "no_proxy=", "NO_PROXY="];
}

function findSockets(program: ContainerProgram): string | undefined {
  switch (program.kind) {
    case "command":
      return program.egress;
    case "browser":
      return program.sockets;
    case "server":
    case "runner":
      return undefined;
  }
}

function buildMount(source: string, target: string, isReadOnly: boolean) {
  return {
    Type: "bind" as const,
    Source: source,
    Target: target,
    ReadOnly: isReadOnly,
    BindOptions: { Propagation: "rprivate" as const },
  };
}

/** The container for one command, or for those of a session. Pure; whatever the input holds, the walls stay (tests/sandbox/container-spec). */
export function buildContainerSpec(input: ContainerSpecInput): ContainerCreateOptions {
  const limits = boundLimits(input.limits);
  const { uid, gid } = input.identity;
  const { program, workspace } = input;
  const isKept = program.kind !== "command";
  const isBrowser = program.kind === "browser";
  if (uid === 0 || gid === 0) throw new RangeError("a sandbox never runs as root");
  if ((workspace === undefined) !== isBrowser) throw new RangeError("a workspace is for everything but a browser");
  const sockets = findSockets(program);
  const scratch = Math.min(isBrowser ? browserScratchBytes : 64 * mebibyte, Math.floor(limits.memoryBytes / 4));
  return {
    name: `kurisu-${input.run}`,
    Image: input.image,
    ...buildProgram(program),
    WorkingDir: isBrowser ? "/" : "/workspace",
    User: `${uid}:${gid}`,
    Hostname: "sandbox",
    Env: isBrowser
      ? browserEnvironment
      : [...buildEnvironment(input.environment), ...(sockets === undefined ? [] : buildProxyVariables())],
    Tty: false,
    // The first process of a kept one ends with its standard input, by which the runner is spoken to as well.
    OpenStdin: isKept,
    StdinOnce: isKept,
    AttachStdin: isKept,
    AttachStdout: true,
    AttachStderr: true,
    Labels: {
      [sandboxLabels.sandbox]: "1",
      [sandboxLabels.installation]: input.installation,
      [sandboxLabels.instance]: input.instance,
      [sandboxLabels.session]: input.session,
      [sandboxLabels.run]: input.run,
    },
    HostConfig: {
      // Also for a container that may reach hosts: its way out is a socket that the gateway's proxy listens on.
      NetworkMode: "none",
      // Without these the engine writes the host's name servers into the container.
      Dns: ["127.0.0.1"],
      DnsSearch: ["."],
      ReadonlyRootfs: true,
      Privileged: false,
      CapDrop: ["ALL"],
      SecurityOpt: [
        "no-new-privileges",
        `seccomp=${input.podman?.seccompFile ?? JSON.stringify(buildSeccompProfile())}`,
      ],
      PidsLimit: limits.pids,
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      NanoCpus: Math.round(limits.cpus * 1e9),
      ShmSize: 16 * mebibyte,
      IpcMode: "private",
      // Pages of a tmpfs count as memory: with a quarter of it a full /tmp cannot kill the command.
      Tmpfs: { "/tmp": `rw,nosuid,nodev,noexec,size=${scratch}` },
      Ulimits: [
        { Name: "nofile", Soft: 1024, Hard: 1024 },
        { Name: "core", Soft: 0, Hard: 0 },
        // The kernel counts message queues by user, over all containers.
        { Name: "msgqueue", Soft: 0, Hard: 0 },
        { Name: "fsize", Soft: limits.fileBytes, Hard: limits.fileBytes },
        // Podman would otherwise raise it, which not every host lets it; the kernel counts it by user, so PidsLimit is the wall.
        ...(input.podman === undefined ? [] : [{ Name: "nproc", Soft: podmanProcesses, Hard: podmanProcesses }]),
      ],
      // Mounts, not Binds: for a missing folder Binds makes the engine create one as root.
      Mounts: [
        ...(workspace === undefined ? [] : [buildMount(workspace, "/workspace", false)]),
        ...(sockets === undefined ? [] : [buildMount(sockets, egressPlace.folder, true)]),
      ],
      // The output is read from the attached stream; a log file would let a flood fill the host's disk.
      LogConfig: { Type: "none", Config: {} },
      RestartPolicy: { Name: "no" },
      // A container whose gateway died is removed when it ends; for a command's own container, the exit state is read
      // first.
      AutoRemove: isKept,
      // The runner reaps the processes that commands leave behind; the engine's init would let a command kill its child.
      Init: !isKept,
      ...(input.runtime === undefined ? {} : { Runtime: input.runtime }),
    },
  };
}
