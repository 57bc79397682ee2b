import { randomBytes } from "node:crypto";
import { chown } from "node:fs/promises";
import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import { onTestFinished } from "vitest";
import { chooseContainerIdentity } from "../../src/sandbox/container-identity.ts";
import { buildContainerSpec } from "../../src/sandbox/container-spec.ts";
import { protocolVersion } from "../../src/sandbox/runner/frames.ts";
import { createRunnerClient } from "../../src/sandbox/runner/runner-client.ts";
import type { RunnerClient } from "../../src/sandbox/runner/runner-client.ts";
import type { RunnerCommand, RunnerOutcome } from "../../src/sandbox/runner/running-command.ts";
import type { RunnerLimits } from "../../src/sandbox/runner/watch-runner.ts";
import type { SandboxLimits } from "../../src/sandbox/types.ts";
import { dockerIsThere, requireDocker } from "./docker.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { sandboxImage } from "./test-sandbox.ts";
import { tellLeftOut } from "./left-out.ts";

type FinishedRun = Extract<RunnerOutcome, { kind: "finished" }>;

/** For `describe.runIf(await runnerIsThere())`: the engine, and an image with the runner of this checkout. */
export async function runnerIsThere(): Promise<boolean> {
  if (!dockerIsThere()) return false;
  const image = await requireDocker().getImage(sandboxImage).inspect();
  if (image.Config.Labels?.["kurisu.runner"] === String(protocolVersion)) return true;
  const problem = `${sandboxImage} holds no runner of version ${protocolVersion}; build it again: npm run sandbox:image`;
  if (process.env.KURISU_REQUIRE_DOCKER === "1") throw new Error(problem);
  tellLeftOut("tests of the runner", problem);
  return false;
}

export interface RawRunner {
  readonly container: Docker.Container;
  /** What the engine sends and takes, with its headers. Nothing of it is lost before somebody listens. */
  readonly stream: Duplex;
  readonly workspace: string;
  /** `NAME=value` of the environment that one-shot commands get. */
  readonly environment: readonly string[];
}

/** A container as hard as the one-shot ones, with the runner as PID 1; removed when the test is over. */
export async function startRunnerContainer(limits: Partial<SandboxLimits> = {}): Promise<RawRunner> {
  const workspace = await createTemporaryFolder();
  if (process.getuid?.() === 0) await chown(workspace, 1000, 1000);
  const run = randomBytes(8).toString("hex");
  const spec = buildContainerSpec({
    image: sandboxImage,
    program: { kind: "runner" },
    workspace,
    session: "runner-test",
    installation: `runner-test-${run}`,
    instance: "boot-1",
    run,
    identity: chooseContainerIdentity(process.getuid?.(), process.getgid?.()),
    limits,
  });
  // Whoever waits for its end must still find it.
  const HostConfig = { ...spec.HostConfig, AutoRemove: false };
  const container = await requireDocker().createContainer({ ...spec, HostConfig });
  onTestFinished(async () => {
    await container.remove({ force: true });
  });
  const attach = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true };
  const stream = (await container.attach(attach)) as Duplex;
  // A reset is the end like any other here; whoever uses the stream hears of it too.
  stream.on("error", () => stream.destroy());
  await container.start();
  return { container, stream, workspace, environment: spec.Env ?? [] };
}

export interface TestRunner extends RawRunner {
  readonly client: RunnerClient;
  readonly start: (command: string, more?: Partial<RunnerCommand>) => Promise<RunnerOutcome>;
  /** Runs a command that must come to an end by itself or at a limit. */
  readonly run: (command: string, more?: Partial<RunnerCommand>) => Promise<FinishedRun>;
}

export async function openTestRunner(
  options: { readonly limits?: Partial<SandboxLimits>; readonly clientLimits?: Partial<RunnerLimits> } = {},
): Promise<TestRunner> {
  const raw = await startRunnerContainer(options.limits);
  const client = createRunnerClient({ stream: raw.stream, limits: options.clientLimits ?? {} });
  onTestFinished(() => client.close());
  const start: TestRunner["start"] = (command, more) =>
    client.run({
      command,
      cwd: ".",
      timeoutMs: 20_000,
      environment: raw.environment,
      outputBytes: 1024 * 1024,
      signal: new AbortController().signal,
      ...more,
    });
  const run: TestRunner["run"] = async (command, more) => {
    const outcome = await start(command, more);
    if (outcome.kind !== "finished") throw new Error(JSON.stringify(outcome));
    return outcome;
  };
  return { ...raw, client, start, run };
}

/** Waits until the container has ended by itself; answers the exit code of the runner. */
export async function waitForRunnerEnd(container: Docker.Container): Promise<number> {
  const { StatusCode } = (await container.wait({ condition: "not-running" })) as { StatusCode: number };
  return StatusCode;
}
