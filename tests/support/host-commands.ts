import { execFile } from "node:child_process";
import { join } from "node:path";
import { createOffSandbox } from "../../src/sandbox/open-sandbox.ts";
import type { Sandbox, SandboxCommand, SandboxOutcome } from "../../src/sandbox/types.ts";

type Finished = Extract<SandboxOutcome, { readonly kind: "finished" }>;

const status = {
  state: "ready",
  detail: "bash of this machine",
  engineVersion: "0",
  image: { name: "none", id: "sha256:0", sizeBytes: 0 },
  keepsContainers: false,
  hasBrowser: false,
} as const;

/**
 * Runs commands that a test wrote itself by bash, in the folder and without any wall. It stands in where what counts is
 * what becomes of the files. `change` = another end than that of bash.
 */
export function createHostCommands(
  change: (outcome: Finished, command: SandboxCommand) => SandboxOutcome | Promise<SandboxOutcome> = (outcome) =>
    outcome,
): Sandbox {
  return {
    ...createOffSandbox(),
    status: () => Promise.resolve(status),
    lastStatus: () => status,
    findImage: () => Promise.resolve(status.image.id),
    run: async (command) => change(await runBash(command), command),
  };
}

function runBash({ command, cwd, timeoutMs, workspace }: SandboxCommand): Promise<Finished> {
  const environment = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TZ: "Asia/Shanghai" };
  const how = { cwd: join(workspace, cwd), env: environment, timeout: timeoutMs };
  return new Promise((resolve) => {
    const child = execFile("bash", ["--noprofile", "--norc", "-c", command], how, (_, stdout, stderr) => {
      const exitCode = child.exitCode ?? 137;
      resolve({ kind: "finished", exitCode, stdout, stderr, timedOut: false, truncated: false, outOfMemory: false });
    });
  });
}
