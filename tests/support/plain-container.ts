import { finished } from "node:stream/promises";
import type Docker from "dockerode";
import { createOutputCollector } from "../../src/sandbox/collect-output.ts";
import type { Sandbox, SandboxCommand, SandboxOutcome } from "../../src/sandbox/types.ts";

const mebibyte = 1024 * 1024;

interface PlainContainer extends Pick<Sandbox, "run"> {
  /** Removes what commands made in the folder, as root. */
  empty(folder: string): Promise<void>;
}

/**
 * What `docker run -v workspace:/workspace image bash -c command` gives, and nothing more: root, the engine's own rights,
 * system call filter and network. For tests that show what our walls are good for. Two ceilings only, so that the machine
 * survives it: 512 MiB and 256 processes.
 */
export function createPlainContainer(options: {
  readonly docker: Docker;
  readonly image: string;
  readonly label: string;
}): PlainContainer {
  const { docker } = options;

  async function run(command: SandboxCommand): Promise<SandboxOutcome> {
    let container: Docker.Container;
    try {
      container = await docker.createContainer({
        Image: options.image,
        User: "0:0",
        Cmd: ["bash", "-c", command.command],
        WorkingDir: `/workspace/${command.cwd}`,
        Env: Object.entries(command.environment ?? {}).map(([name, value]) => `${name}=${value}`),
        Labels: { [options.label]: "1" },
        AttachStdout: true,
        AttachStderr: true,
        HostConfig: {
          Memory: 512 * mebibyte,
          MemorySwap: 512 * mebibyte,
          PidsLimit: 256,
          Mounts: [{ Type: "bind", Source: command.workspace, Target: "/workspace" }],
          LogConfig: { Type: "none", Config: {} },
        },
      });
    } catch (error) {
      return { kind: "unavailable", reason: String(error), remedy: "", started: false };
    }
    try {
      return await follow(container, command);
    } catch (error) {
      return { kind: "unavailable", reason: String(error), remedy: "", started: true };
    } finally {
      await container.remove({ force: true, v: true });
    }
  }

  async function empty(folder: string): Promise<void> {
    const signal = new AbortController().signal;
    const command = "find /workspace -mindepth 1 -delete";
    const outcome = await run({ command, cwd: ".", timeoutMs: 30_000, workspace: folder, session: "", signal });
    if (outcome.kind !== "finished" || outcome.exitCode !== 0) throw new Error(JSON.stringify(outcome));
  }

  return { run, empty };
}

/** No cap of the output but the one that keeps this process alive; at the time limit it is killed, which a person would do. */
async function follow(container: Docker.Container, command: SandboxCommand): Promise<SandboxOutcome> {
  const output = createOutputCollector(64 * mebibyte);
  const stream = await container.attach({ stream: true, stdout: true, stderr: true });
  stream.on("data", (piece: Buffer) => output.write(piece));
  const read = finished(stream, { writable: false });
  await container.start();
  let timedOut = false;
  let killed: Promise<unknown> = Promise.resolve();
  const timer = setTimeout(() => {
    timedOut = true;
    killed = container.kill().catch((error: unknown) => error);
  }, command.timeoutMs);
  try {
    await read;
    await container.wait({ condition: "not-running" });
  } finally {
    clearTimeout(timer);
    await killed;
  }
  const { State: state } = await container.inspect();
  return {
    kind: "finished",
    exitCode: state.ExitCode,
    stdout: output.stdout(),
    stderr: output.stderr(),
    timedOut,
    truncated: output.overflowed,
    outOfMemory: state.OOMKilled,
  };
}
