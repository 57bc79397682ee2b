import { describe, expect, it } from "vitest";
import { createFileEditTool } from "../../src/features/work-tools/file-edit.ts";
import { createFileReadTool } from "../../src/features/work-tools/file-read.ts";
import { createFileWriteTool } from "../../src/features/work-tools/file-write.ts";
import { createGlobTool } from "../../src/features/work-tools/glob.ts";
import { createSearchThreads } from "../../src/features/work-tools/search-thread.ts";
import { createShellTool } from "../../src/features/work-tools/shell.ts";
import type { ToolContext } from "../../src/kernel/tools/types.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { createFolderWriters } from "../../src/workspace/folder-writers.ts";
import { createKnownContents } from "../../src/workspace/known-contents.ts";
import { createHostCommands } from "../support/host-commands.ts";
import { runGiven } from "../support/run-given.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestStore } from "../support/test-store.ts";
import { createToolContext } from "../support/tool-context.ts";

const session = "cli:main";
const other = { id: "cli:other", name: "Daru", role: "member" } as const;

async function createBench(change?: Parameters<typeof createHostCommands>[0]) {
  const { main } = await createTestStore();
  const writers = createFolderWriters();
  const workspace = createWorkspace({ root: await createTemporaryFolder(), writers });
  const contents = createKnownContents({ database: () => main, writers });
  const parts = { workspace, contents };
  const tools = {
    shell: createShellTool({ ...parts, sandbox: createHostCommands(change) }),
    read: createFileReadTool(parts),
    write: createFileWriteTool(parts),
    edit: createFileEditTool(parts),
    glob: createGlobTool({ ...parts, threads: createSearchThreads() }),
  };
  const run = (tool: keyof typeof tools, input: object, changes?: Partial<ToolContext>) =>
    runGiven(tools[tool] as never, input, createToolContext(changes));
  return {
    ...parts,
    run,
    folder: await workspace.folderFor(session),
    writers,
    shell: (command: string, changes?: Partial<ToolContext>) => run("shell", { command }, changes),
    read: (path: string, changes?: Partial<ToolContext>) => run("read", { path }, changes),
    put: (path: string, content: string) => workspace.write(session, path, content, "write"),
  };
}

interface Situation {
  readonly context?: Partial<ToolContext>;
  /** A file that is there before. */
  readonly lies?: string;
  /** Of the command, before the rest of it. */
  readonly more?: string;
  /** Otherwise than bash. */
  readonly ends?: object;
}

const foreign = { ok: true, taint: "untrusted" } as const;

describe("the content that a command left", () => {
  it("the content is the person's own if the command read nothing else: files, folders, links, archives, renamed and changed ones", async () => {
    const { run, read, shell, workspace } = await createBench();
    await run("write", { path: "data.csv", content: "b,2\na,1\n" });
    const commands = [
      "sort data.csv > sorted.csv",
      "mkdir -p out/empty && cp sorted.csv out/a.csv && ln -s a.csv out/link && mv data.csv 'old data.csv'",
      "tar czf all.tgz out && mkdir un && tar xzf all.tgz -C un && chmod +x sorted.csv",
      "rm all.tgz; cat un/out/a.csv; false",
    ];
    for (const command of commands) expect(await shell(command), `after ${command}`).not.toHaveProperty("taint");
    expect(await run("edit", { path: "sorted.csv", old: "a,1", new: "a,3" })).not.toHaveProperty("taint");
    expect(await shell("wc -l < sorted.csv > count.txt; ls un/out")).not.toHaveProperty("taint");
    for (const path of ["sorted.csv", "count.txt", "un/out/a.csv", "old data.csv"])
      expect(await read(path), `reading ${path}`).not.toHaveProperty("taint");
    expect(await run("glob", { pattern: "**" })).not.toHaveProperty("taint");
    // What was thrown away and fetched back is what it was.
    const removed = await workspace.remove(session, "count.txt");
    await workspace.restore(session, removed.ok ? removed.id : "");
    expect(await read("count.txt")).not.toHaveProperty("taint");
    // For another person in the same chat none of it is.
    expect(await read("sorted.csv", { person: other })).toMatchObject(foreign);
    expect(await shell("cat sorted.csv > theirs.csv", { person: other })).toMatchObject(foreign);
    expect(await read("theirs.csv", { person: other })).toMatchObject(foreign);
    expect(await shell("cat sorted.csv")).toMatchObject({ ...foreign, sources: ["theirs.csv"] });
  });

  it.each<[string, Situation]>([
    ["the turn had read something foreign", { context: { taint: "untrusted" } }],
    ["the command could reach a host", { context: { network: ["pypi.org"] } }],
    ["a file lay there that nobody knows", { lies: "page.txt" }],
    ["there was too much to look through", { more: "mkdir many; for n in $(seq 500); do : > many/$n; done;" }],
    ["it was killed by a signal", { more: "echo half > got.txt; kill -9 $$;" }],
    ["it was killed at its time limit", { ends: { timedOut: true } }],
    ["it was killed at the output cap", { ends: { truncated: true } }],
    ["it ran out of memory", { ends: { outOfMemory: true } }],
    ["the workspace is over its limit", { ends: { workspaceFull: "It is full." } }],
    ["a host answered it", { ends: { network: { refused: [] } } }],
    ["it was stopped", { ends: { kind: "stopped", started: true } }],
    ["the engine lost it", { ends: { kind: "unavailable", reason: "Lost.", remedy: "Again.", started: true } }],
  ])("the content counts as untrusted if %s", async (_, { context = {}, lies, more = "", ends = {} }) => {
    const { put, read, shell } = await createBench((outcome) => ({ ...outcome, ...ends }));
    if (lies !== undefined) await put(lies, "do as I say\n");
    await shell(`${more} echo made > got.txt`, context);
    expect(await read("got.txt")).toMatchObject(foreign);
  });

  it("the content counts as untrusted if another writer worked meanwhile, even if its file is gone again", async () => {
    const beside: (() => Promise<unknown>)[] = [];
    const { put, read, shell, workspace, writers, folder } = await createBench(async (outcome) => {
      await beside.shift()?.();
      return outcome;
    });
    beside.push(async () => {
      await put("page.txt", "do as I say\n");
      await shell("cp page.txt copied.txt", { taint: "untrusted", session });
      await workspace.remove(session, "page.txt");
    });
    expect(await shell("echo made > got.txt")).toMatchObject(foreign);
    for (const path of ["got.txt", "copied.txt"]) {
      expect(await read(path), `reading ${path}`).toMatchObject(foreign);
      await workspace.remove(session, path);
    }
    // A server that has the folder may write at any time.
    const end = writers.begin(folder);
    await shell("echo made > beside.txt");
    expect(await read("beside.txt")).toMatchObject(foreign);
    await workspace.remove(session, "beside.txt");
    end();
    // And what is put in its place later is not what it was.
    expect(await shell("echo made > got.txt")).not.toHaveProperty("taint");
    expect(await read("got.txt")).not.toHaveProperty("taint");
    await put("got.txt", "do as I say\n");
    expect(await read("got.txt")).toMatchObject(foreign);
    expect(await shell("cat got.txt")).toMatchObject(foreign);
  });

  it("the content is as untrusted as any file that came and went while the command ran", async () => {
    const beside: (() => Promise<unknown>)[] = [];
    const { contents, put, shell, workspace, writers, folder } = await createBench(async (outcome) => {
      await beside.shift()?.();
      return outcome;
    });
    beside.push(async () => {
      await put("page.txt", "do as I say\n");
      await workspace.remove(session, "page.txt");
    });
    const unseen = { ...foreign, sources: ["/workspace"] };
    expect(await shell("true")).toMatchObject(unseen);
    expect(await shell("true")).not.toHaveProperty("taint");
    // A server that has the folder may do the same at any time.
    const end = writers.begin(folder);
    expect(await shell("true")).toMatchObject(unseen);
    end();
    // At each later look, too. Nobody who writes after its end changes its output.
    const { signal } = new AbortController();
    const reading = createToolContext();
    const crossed = await contents.enterFolder(reading, folder, signal);
    writers.begin(folder)();
    crossed.end();
    const alone = await contents.enterFolder(reading, folder, signal);
    alone.end();
    writers.begin(folder)();
    for (const _ of [1, 2]) {
      expect(await crossed.label(reading, signal)).toEqual({ taint: "untrusted", sources: ["/workspace"] });
      expect(await alone.label(reading, signal)).toEqual({});
    }
  });

  it("the content counts as untrusted while a lost command may still run", async () => {
    const lost = { kind: "unavailable", reason: "Lost.", remedy: "Again.", started: true } as const;
    const { read, shell } = await createBench((outcome, { command }) => (command === "true" ? lost : outcome));
    await shell("echo made > before.txt");
    await shell("true");
    await shell("echo later > after.txt");
    expect(await read("before.txt")).not.toHaveProperty("taint");
    expect(await read("after.txt")).toMatchObject(foreign);
  });

  it("the content is compared when the next command begins: a link by its target, a folder by its name", async () => {
    const { shell } = await createBench();
    await shell("echo 1 > a.txt; ln -s a.txt link");
    expect(await shell("true")).not.toHaveProperty("taint");
    await shell("ln -sf ../../other link; mkdir strange", { taint: "untrusted" });
    expect(await shell("true")).toMatchObject({ ...foreign, sources: ["link", "strange"] });
  });
});
