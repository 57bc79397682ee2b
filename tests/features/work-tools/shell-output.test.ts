// full: needs a container engine
import { readdir } from "node:fs/promises";
import type { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createFileReadTool } from "../../../src/features/work-tools/file-read.ts";
import { createShellOutputTool } from "../../../src/features/work-tools/shell-output.ts";
import { createShellTool } from "../../../src/features/work-tools/shell.ts";
import { createFollowedCommands } from "../../../src/features/work-tools/followed-commands.ts";
import { createNewestOutput } from "../../../src/kernel/tools/newest-output.ts";
import type { ToolContext, ToolResult } from "../../../src/kernel/tools/types.ts";
import { createWorkspace } from "../../../src/workspace/create-workspace.ts";
import { createFolderWriters } from "../../../src/workspace/folder-writers.ts";
import { createKnownContents } from "../../../src/workspace/known-contents.ts";
import { dockerIsThere, requireDocker } from "../../support/docker.ts";
import { besideOthers, untilTestEnds } from "../../support/keep-until.ts";
import { runGiven } from "../../support/run-given.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { createTestSandbox } from "../../support/test-sandbox.ts";
import { createTestStore } from "../../support/test-store.ts";
import { createToolContext } from "../../support/tool-context.ts";

/** The real engine, and the two tools as the product makes them. */
async function createBench(more: { readonly followMs?: number; readonly bytes?: number } = {}) {
  const docker = requireDocker();
  const workspaceLimits = { bytes: more.bytes ?? 100_000_000, files: 1_000 };
  const { sandbox, installation } = createTestSandbox({ docker, workspaceLimits });
  untilTestEnds(() => sandbox.stop());
  const writers = createFolderWriters();
  const workspace = createWorkspace({ root: await createTemporaryFolder(), writers });
  const inputs: Writable[] = [];
  const { main } = await createTestStore();
  const contents = createKnownContents({ database: () => main, writers });
  const followed = createFollowedCommands({
    sandbox: {
      ...sandbox,
      async open(program) {
        const opening = await sandbox.open(program);
        if (opening.kind === "open") inputs.push(opening.streams.input);
        return opening;
      },
    },
  });
  const shell = createShellTool({ sandbox, workspace, contents, followed, ...more });
  const output = createShellOutputTool({ sandbox, followed });
  const start = (command: string, changes?: Partial<ToolContext>) =>
    runGiven(shell, { command, follow: true }, createToolContext(changes));
  const look = (result: ToolResult, how: object = {}, changes?: Partial<ToolContext>) =>
    runGiven(output, { id: idOf(result), ...how }, createToolContext(changes));
  const read = (path: string) => runGiven(createFileReadTool({ workspace, contents }), { path }, createToolContext());
  const count = async () =>
    (await docker.listContainers({ all: true, filters: { label: [`kurisu.installation=${installation}`] } })).length;
  return { sandbox, workspace, followed, inputs, shell, start, look, read, count };
}

const idOf = ({ output }: ToolResult): string => (output as { readonly id: string }).id;

describe("the newest output", () => {
  it("the newest output is given once, without an incomplete word, and tells what it left out", () => {
    const output = createNewestOutput();
    output.add("one two thr");
    expect(output.take(false)).toEqual({ output: "one two ", cut: 0 });
    output.add("ee four");
    expect(output.take(false)).toEqual({ output: "three ", cut: 0 });
    expect(output.take(true)).toEqual({ output: "four", cut: 0 });
    for (let number = 0; number < 10_000; number += 1) output.add(`${String(number).padStart(9, "0")}\n`);
    const { output: text, cut } = output.take(true);
    expect(text.length + cut).toBe(100_000);
    expect(text.length).toBeLessThanOrEqual(12_000);
    expect(text).toMatch(/^\d{9}\n[^]*000009999\n$/);
    output.add("x".repeat(20_000));
    expect(output.take(false)).toEqual({ output: "x".repeat(12_000), cut: 8_000 });
  });
});

// They mostly wait for their containers.
describe.runIf(dockerIsThere()).concurrent("a command that is followed", () => {
  it(
    "answers soon, is read on until its end, and tells its exit code; another session has no part in it",
    besideOthers(async ({ expect }) => {
      const { start, look, count, workspace } = await createBench();
      const begun = await start("echo begun; until [ -e go ]; do sleep 0.1; done; echo wrong >&2; echo done; exit 3");
      expect(begun).toMatchObject({ ok: true, output: { output: "begun\n", running: true } });
      expect(await look(begun)).toMatchObject({ output: { output: "", running: true } });
      const elsewhere = await look(begun, { stop: true }, { session: "cli:other" });
      expect(elsewhere).toMatchObject({ ok: false, error: expect.stringMatching(/ended with a restart/) });
      await workspace.write("cli:main", "go", "", "write");
      expect(await look(begun, { wait: 20 })).toMatchObject({
        ok: true,
        output: { output: "wrong\ndone\n", running: false, exit_code: 3 },
      });
      expect(await look(begun)).toMatchObject({ output: { output: "", running: false, exit_code: 3 } });
      await expect.poll(count).toBe(0);
    }),
  );

  it(
    "goes on beside the other commands of its chat, in the same folder and with the same walls",
    besideOthers(async ({ expect }) => {
      const { start, shell, look } = await createBench();
      const begun = await start("touch mine; id -u; cat /proc/net/dev | wc -l; exec sleep 60");
      expect(begun).toMatchObject({ output: { output: expect.stringMatching(/^[1-9]\d*\n3\n$/), running: true } });
      const beside = await runGiven(shell, { command: "ls; touch /nowhere" }, createToolContext());
      expect(beside).toMatchObject({ output: { stdout: "mine\n", exit_code: 1 } });
      const stopped = await look(begun, { stop: true });
      expect(stopped).toMatchObject({ output: { running: false, ended: "It was stopped." } });
      expect(stopped.output).not.toHaveProperty("exit_code");
    }),
  );

  it(
    "a followed command ends at its time limit, and when its workspace is full",
    besideOthers(async ({ expect }) => {
      const { start, look } = await createBench({ followMs: 1_000 });
      const long = await start("trap '' TERM; while :; do sleep 1; done");
      const ended = await look(long, { wait: 20 });
      expect(ended).toMatchObject({ output: { running: false, ended: "It was ended after 1 s, its time limit." } });

      const small = await createBench({ bytes: 1_000_000 });
      const greedy = await small.start("head -c 2000000 /dev/zero > big; exec sleep 60");
      const full = await small.look(greedy, { wait: 30 });
      expect(full).toMatchObject({ output: { running: false, ended: expect.stringMatching(/over its limit/) } });
      expect(await small.start("true")).toMatchObject({ ok: false, error: expect.stringMatching(/did not run/) });
    }),
  );

  it(
    "a followed command ends by itself when its container has no holder any more, whatever it does with signals",
    besideOthers(async ({ expect }) => {
      const { start, look, inputs } = await createBench();
      const begun = await start("trap '' TERM HUP; (while :; do sleep 1; done) & wait");
      expect(begun).toMatchObject({ output: { running: true } });
      inputs[0]?.end();
      expect(await look(begun, { wait: 20 })).toMatchObject({ output: { running: false, exit_code: 137 } });
    }),
  );

  it(
    "keeps the newest part of a flood, and is ended by too much",
    besideOthers(async ({ expect }) => {
      const { start, look } = await createBench();
      const flood = await start("sleep 4; yes");
      const over = await look(flood, { wait: 30 });
      expect(over).toMatchObject({
        output: {
          running: false,
          ended: expect.stringMatching(/too much/),
          left_out: expect.stringMatching(/^\d{5,} /),
        },
      });
    }),
  );

  it(
    "ends with the work of its chat, with a call that is stopped, and with the sandbox",
    besideOthers(async ({ expect }) => {
      const { sandbox, followed, start, look, count } = await createBench();
      const [mine, other] = await Promise.all([start("sleep 60"), start("sleep 60", { session: "cli:other" })]);
      expect(followed.endSession("cli:main")).toBe(true);
      expect(await look(mine, { wait: 20 })).toMatchObject({ output: { running: false } });
      expect(followed.endSession("cli:main")).toBe(false);
      expect(await look(other, {}, { session: "cli:other" })).toMatchObject({ output: { running: true } });
      const stopping = AbortSignal.abort();
      expect(await start("touch never", { signal: stopping })).toMatchObject({
        ok: false,
        error: "The command was stopped before it began.",
      });
      await sandbox.stop();
      await expect.poll(count).toBe(0);
    }),
  );

  it(
    "a followed command is refused beside three others, with hosts, to a sub-agent, and in another image",
    besideOthers(async ({ expect }) => {
      const { start, shell, workspace, count } = await createBench();
      await Promise.all([1, 2, 3].map(() => start("exec sleep 60")));
      expect(await start("true")).toMatchObject({
        ok: false,
        error: expect.stringMatching(/^3 commands of this chat/),
      });
      for (const changes of [
        { network: ["pypi.org"] },
        { agent: { id: "coder", tools: ["shell"] } },
        { session: "cli:other", binding: { image: `sha256:${"0".repeat(64)}` } },
      ])
        expect(await start("touch never", changes)).toMatchObject({ ok: false });
      expect(await count()).toBe(3);
      expect(await readdir(await workspace.folderFor("cli:other"))).toEqual([]);
      const input = shell.input.parse({ command: "x", follow: true });
      expect(shell.detail?.(input, "en")).toBe("[goes on in the background]\nx");
      expect(shell.goesOnFor?.(input)).toBe(600_000);
    }),
  );

  it(
    "the output is as untrusted as the turn that began the command, or as a command beside it",
    besideOthers(async ({ expect }) => {
      const { start, look } = await createBench();
      const begun = await start("exec sleep 60", { taint: "untrusted", sources: ["evil.example.net"] });
      expect(await look(begun)).toMatchObject({ taint: "untrusted", sources: ["evil.example.net"] });
      const beside = await start("exec sleep 60");
      expect(await look(beside), "it may have read what the other wrote").toMatchObject({ sources: ["/workspace"] });
      for (const one of [begun, beside]) await look(one, { stop: true });
      const own = await start("exec sleep 60");
      expect(await look(own)).not.toHaveProperty("taint");
      const person = { id: "cli:other", name: "Daru", role: "member" } as const;
      expect(await look(own, {}, { person })).toMatchObject({ taint: "untrusted" });
    }),
  );

  it(
    "the files of a followed command are the person's own, unless others wrote beside it or a tainted turn looked",
    besideOthers(async ({ expect }) => {
      const { start, look, read, workspace } = await createBench();
      const wait = { wait: 20 };
      const whole = await start("until [ -e /tmp/x ]; do sleep 0.2; touch /tmp/x; done; echo own > own.txt");
      expect(await look(whole, wait)).not.toHaveProperty("taint");
      expect(await read("own.txt")).not.toHaveProperty("taint");
      // Words that a tainted turn puts there while the command goes on may be in all that it writes from then on.
      const raced = await start(
        "until [ -e page.txt ]; do sleep 0.1; done; cat page.txt own.txt > copy.txt; rm page.txt",
      );
      await workspace.write("cli:main", "page.txt", "do as I say\n", "write");
      expect(await look(raced, wait)).toMatchObject({ taint: "untrusted", output: { exit_code: 0 } });
      expect(await read("copy.txt")).toMatchObject({ taint: "untrusted", sources: ["copy.txt"] });
      await workspace.remove("cli:main", "copy.txt");
      const tainted = await start("sleep 3; echo 2 > seen.txt");
      await look(tainted, {}, { taint: "untrusted" });
      await look(tainted, wait);
      expect(await read("seen.txt")).toMatchObject({ taint: "untrusted" });
      await workspace.remove("cli:main", "seen.txt");
      const killed = await start("echo half > half.txt; kill -9 $$");
      await look(killed, wait);
      expect(await read("half.txt")).toMatchObject({ taint: "untrusted" });
    }),
  );
});
