// full: needs a container engine
import { describe, expect, it, onTestFinished } from "vitest";
import { createFileReadTool } from "../../../src/features/work-tools/file-read.ts";
import { createFileWriteTool } from "../../../src/features/work-tools/file-write.ts";
import { createShellTool } from "../../../src/features/work-tools/shell.ts";
import type { ShellInput } from "../../../src/features/work-tools/shell.ts";
import { createOffSandbox } from "../../../src/sandbox/open-sandbox.ts";
import type { Sandbox, SandboxCommand, SandboxOutcome } from "../../../src/sandbox/types.ts";
import type { ToolResult } from "../../../src/kernel/tools/types.ts";
import { createWorkspace } from "../../../src/workspace/create-workspace.ts";
import type { Workspace } from "../../../src/workspace/types.ts";
import { dockerIsThere, requireDocker } from "../../support/docker.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { createTestSandbox } from "../../support/test-sandbox.ts";
import { runGiven } from "../../support/run-given.ts";
import { createToolContext } from "../../support/tool-context.ts";

const ended = {
  kind: "finished",
  exitCode: 0,
  stdout: "",
  stderr: "",
  timedOut: false,
  truncated: false,
  outOfMemory: false,
} as const;

/** Answers what the test says and remembers what it was asked. */
function createScriptedSandbox(outcome: SandboxOutcome): Sandbox & { readonly commands: SandboxCommand[] } {
  const commands: SandboxCommand[] = [];
  return {
    ...createOffSandbox(),
    commands,
    run(command) {
      commands.push(command);
      return Promise.resolve(outcome);
    },
  };
}

async function makeWorkspace(): Promise<Workspace> {
  return createWorkspace({ root: await createTemporaryFolder() });
}

async function runShell(sandbox: Sandbox, input: Partial<ShellInput>): Promise<ToolResult> {
  const tool = createShellTool({ sandbox, workspace: await makeWorkspace() });
  return runGiven(tool, { command: "true", ...input }, createToolContext());
}

describe("the shell tool", () => {
  it("the shell tool has the arguments, ranges and defaults of the contract", async () => {
    const tool = createShellTool({ sandbox: createOffSandbox(), workspace: await makeWorkspace() });
    expect(tool).toMatchObject({ name: "shell", level: "confirm", aliases: ["Bash"], place: "sandbox" });
    expect(tool.input.parse({ command: "ls" })).toEqual({ command: "ls", timeout: 30, cwd: ".", fresh: false });
    for (const timeout of [1, 300]) expect(tool.input.safeParse({ command: "ls", timeout }).success).toBe(true);
    for (const timeout of [0, 301, -1, Number.NaN])
      expect(tool.input.safeParse({ command: "ls", timeout }).success).toBe(false);
    for (const command of ["", "  ", "a\0b", "x".repeat(40_000)])
      expect(tool.input.safeParse({ command }).success).toBe(false);
    expect(tool.input.safeParse({ command: "ls", user: "root" }).success).toBe(false);
    const strict = createShellTool({
      sandbox: createOffSandbox(),
      workspace: await makeWorkspace(),
      defaultTimeoutSeconds: 90,
      maximumTimeoutSeconds: 60,
    });
    expect(strict.input.parse({ command: "ls" }).timeout).toBe(60);
    expect(strict.input.safeParse({ command: "ls", timeout: 61 }).success).toBe(false);
    expect(tool.timeoutMs(tool.input.parse({ command: "ls" }))).toBeGreaterThan(30_000);
  });

  it("hands the hosts of its call on, but never on a copy, and marks what came from them", async () => {
    const network = ["pypi.org"];
    const sandbox = createScriptedSandbox({ ...ended, network: { refused: ["evil.example.net:443"] } });
    const workspace = await makeWorkspace();
    const tool = createShellTool({ sandbox, workspace });
    const input = tool.input.parse({ command: "curl https://pypi.org" });
    const result = await tool.run(input, createToolContext({ network }));
    expect(result).toMatchObject({ ok: true, taint: "untrusted" });
    expect(result.output).toMatchObject({ network: { refused: ["evil.example.net:443"] } });
    await tool.onCopy?.(workspace).run(input, createToolContext({ network }));
    await tool.run(input, createToolContext());
    expect(sandbox.commands.map((command) => command.network)).toEqual([network, undefined, undefined]);
  });

  it("shows the command to the letter, and where it would run", async () => {
    const tool = createShellTool({ sandbox: createOffSandbox(), workspace: await makeWorkspace() });
    const command = "printf '%s\\n' \"$HOME\"   # 研究\n\trm -rf ./old ";
    expect(tool.summarize(tool.input.parse({ command }))).toBe(command);
    expect(tool.summarize(tool.input.parse({ command: "rm *", cwd: "data" }))).toBe("rm *\n[in data]");
  });

  it("gives a result for every end of a command, good or bad", async () => {
    expect(await runShell(createScriptedSandbox({ ...ended, exitCode: 2, stderr: "no" }), {})).toEqual({
      ok: true,
      output: { exit_code: 2, stdout: "", stderr: "no", timed_out: false, truncated: false },
      message: "exit 2",
    });
    const late = await runShell(createScriptedSandbox({ ...ended, exitCode: 137, timedOut: true }), {});
    expect(late).toMatchObject({ ok: true, output: { timed_out: true }, message: "killed after 30 s" });
    const hog = await runShell(createScriptedSandbox({ ...ended, exitCode: 137, outOfMemory: true }), {});
    expect(hog).toMatchObject({ ok: true, output: { out_of_memory: true }, message: "exit 137, out of memory" });
  });

  it("never runs anything when the sandbox cannot, and says what to do", async () => {
    const reason = "No container engine answers at /x.";
    const lost = { kind: "unavailable", reason, remedy: "Start Docker.", started: false } as const;
    expect(await runShell(createScriptedSandbox(lost), {})).toEqual({
      ok: false,
      error: `${reason} The command did not run. Start Docker.`,
    });
    expect(await runShell(createScriptedSandbox({ ...lost, started: true }), {})).toMatchObject({
      ok: false,
      error: expect.stringMatching(/Part of the command may/),
    });
    expect(await runShell(createScriptedSandbox({ kind: "stopped", started: true }), {})).toMatchObject({ ok: false });
    expect(await runShell(createScriptedSandbox({ kind: "stopped", started: false }), {})).toMatchObject({ ok: false });
    const off = createShellTool({ sandbox: createOffSandbox(), workspace: await makeWorkspace() });
    expect(off.availability?.()).toEqual({ ok: false, reason: expect.stringMatching(/switched off.*sandbox\.yaml/) });
    expect(await runShell(createOffSandbox(), {})).toMatchObject({
      ok: false,
      error: expect.stringMatching(/did not run/),
    });
  });

  it("hands over folder, zone and session, and refuses folders outside", async () => {
    const sandbox = createScriptedSandbox(ended);
    await runShell(sandbox, { cwd: "/workspace/a/", timeout: 5 });
    expect(sandbox.commands).toMatchObject([
      { cwd: "./a", timeoutMs: 5000, session: "cli:main", environment: { TZ: "Asia/Shanghai" } },
    ]);
    expect(await runShell(sandbox, { cwd: "../other" })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/\.\./),
    });
    expect(sandbox.commands).toHaveLength(1);
  });
});

describe.runIf(dockerIsThere())("the shell and the file tools together", () => {
  it("see the same files in a real container", async () => {
    const { sandbox } = createTestSandbox({ docker: requireDocker() });
    onTestFinished(() => sandbox.stop());
    const workspace = await makeWorkspace();
    const [shell, read, write] = [
      createShellTool({ sandbox, workspace }),
      createFileReadTool({ workspace }),
      createFileWriteTool({ workspace }),
    ];
    const context = createToolContext();
    await sandbox.status();
    expect(shell.availability?.()).toEqual({ ok: true });
    await write.run(write.input.parse({ path: "in/data.json", content: '{"n": [1, 2, 3]}' }), context);
    const command = "jq -c '.n | add' data.json | tee ../out.txt; echo more >> data.json; rm data.json";
    expect(await shell.run(shell.input.parse({ command, cwd: "in" }), context)).toMatchObject({
      ok: true,
      output: { exit_code: 0, stdout: "6\n", timed_out: false, truncated: false },
    });
    expect(await read.run(read.input.parse({ path: "out.txt" }), context)).toMatchObject({
      ok: true,
      output: { content: "6" },
    });
    await shell.run(shell.input.parse({ command: "ln -s /etc/passwd leak; mkfifo pipe; ln out.txt twin" }), context);
    for (const path of ["leak", "pipe", "twin"]) {
      expect(await read.run(read.input.parse({ path }), context)).toMatchObject({ ok: false });
    }
    const other = createToolContext({ session: "cli:other" });
    expect(await shell.run(shell.input.parse({ command: "ls -A" }), other)).toMatchObject({ output: { stdout: "" } });
  });
});
