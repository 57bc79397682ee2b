import { chown } from "node:fs/promises";
import type Docker from "dockerode";
import { sandboxLabels } from "../../src/sandbox/container-spec.ts";
import type { SandboxCommand, SandboxOutcome } from "../../src/sandbox/types.ts";
import { requireDocker } from "./docker.ts";
import { untilTestEnds } from "./keep-until.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { createTestSandbox } from "./test-sandbox.ts";
import type { TestSandbox } from "./test-sandbox.ts";

type Finished = Extract<SandboxOutcome, { kind: "finished" }>;

/** A sandbox on the real engine, with a workspace; gone when the test is over. */
export interface SandboxBench extends TestSandbox {
  readonly workspace: string;
  readonly start: (command: string, more?: Partial<SandboxCommand>) => Promise<SandboxOutcome>;
  /** Runs a command that must come to an end by itself. */
  readonly run: (command: string, more?: Partial<SandboxCommand>) => Promise<Finished>;
  /** Starts a command and waits until it has said something: it runs now. */
  readonly begin: (
    command: string,
    more?: Partial<SandboxCommand>,
  ) => Promise<{ readonly outcome: Promise<SandboxOutcome> }>;
  readonly containers: () => Promise<Docker.ContainerInfo[]>;
  /** A workspace for another session. */
  readonly makeWorkspace: () => Promise<string>;
}

async function makeWorkspace(): Promise<string> {
  const workspace = await createTemporaryFolder();
  if (process.getuid?.() === 0) await chown(workspace, 1000, 1000);
  return workspace;
}

export async function createSandboxBench(
  options: Partial<Parameters<typeof createTestSandbox>[0]> & { readonly fresh?: boolean } = {},
): Promise<SandboxBench> {
  const { fresh, ...given } = options;
  const docker = options.docker ?? requireDocker();
  const made = createTestSandbox({ ...given, docker });
  const workspace = await makeWorkspace();
  untilTestEnds(() => made.sandbox.stop());
  const start: SandboxBench["start"] = (command, more) =>
    made.sandbox.run({
      command,
      cwd: ".",
      timeoutMs: 20_000,
      workspace,
      session: "test",
      signal: new AbortController().signal,
      ...(fresh === undefined ? {} : { fresh }),
      ...more,
    });
  return {
    ...made,
    workspace,
    makeWorkspace,
    start,
    containers: () =>
      docker.listContainers({ all: true, filters: { label: [`${sandboxLabels.installation}=${made.installation}`] } }),
    async run(command, more) {
      const outcome = await start(command, more);
      if (outcome.kind !== "finished") throw new Error(JSON.stringify(outcome));
      return outcome;
    },
    async begin(command, more) {
      const begun = Promise.withResolvers<void>();
      const outcome = start(command, { onOutput: () => begun.resolve(), ...more });
      const early = outcome.then((result) => {
        throw new Error(`it ended before it said anything: ${JSON.stringify(result)}`);
      });
      await Promise.race([begun.promise, early]);
      early.catch(() => undefined);
      return { outcome };
    },
  };
}
