import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkspace } from "../../../src/workspace/create-workspace.ts";
import type { TreeChange } from "../../../src/features/preview/trees/compare-trees.ts";
import { describeTree, type TreeEntry } from "../../../src/workspace/trees/describe-tree.ts";
import { createThrowAwayCopies, previewLimits } from "../../../src/features/preview/trees/throw-away-copies.ts";
import type { TreeLimits } from "../../../src/workspace/trees/tree-limits.ts";
import { chooseAnchoring } from "../../../src/workspace/open-folder.ts";
import type { Workspace } from "../../../src/workspace/types.ts";
import { applyHunks } from "../../support/apply-hunks.ts";
import { makeTree, treeItems } from "./make-tree.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const session = "telegram:42:main";
const full = process.env.KURISU_TEST_FULL === "1";
const owner = process.getuid?.() === 0 ? 1000 : undefined;
const signal = new AbortController().signal;

async function createBench(limits?: Partial<TreeLimits>) {
  const root = join(await createTemporaryFolder(), "workspaces");
  const workspace = createWorkspace({ root });
  const copies = createThrowAwayCopies({ root, workspace, limits: { ...previewLimits, ...limits } });
  return { root, workspace, copies, folder: await workspace.folderFor(session) };
}

const describeAll = (folder: string) =>
  describeTree(folder, { anchoring: chooseAnchoring(), limits: previewLimits, signal });

/** Does something to a copy and answers what was noticed. */
async function change(
  { copies, root }: Awaited<ReturnType<typeof createBench>>,
  act: (folder: string, copy: Workspace) => Promise<void>,
) {
  let revision = "";
  const used = await copies.use(session, signal, async (copy, now) => {
    revision = now;
    await act(await copy.folderFor(session), copy);
  });
  expect(await readdir(root)).toHaveLength(1);
  if (used.kind !== "used" || used.comparison.kind !== "compared") throw new Error(JSON.stringify(used));
  return { ...used, revision, changes: used.comparison.changes };
}

/** What the changes make of the entries of before; the text of each file is rebuilt by its hunks. */
function rebuild(
  before: ReadonlyMap<string, TreeEntry>,
  changes: readonly TreeChange[],
): ReadonlyMap<string, TreeEntry> {
  const made = new Map(before);
  for (const { path, before: old, after } of changes) {
    expect(made.get(path)).toEqual(old);
    if (after === undefined) made.delete(path);
    else made.set(path, after);
  }
  return new Map([...made].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

describe("a throw-away copy", () => {
  it("says exactly what was done to it, and the workspace stays as it was", async () => {
    await fc.assert(
      fc.asyncProperty(treeItems, treeItems, async (items, changed) => {
        const bench = await createBench();
        await makeTree(bench.folder, items, owner);
        const before = await describeAll(bench.folder);
        let after = before;
        const texts: (readonly [string, string])[] = [];
        const { revision, changes } = await change(bench, async (folder) => {
          expect((await describeAll(folder)).entries).toEqual(before.entries);
          await makeTree(folder, changed, owner);
          after = await describeAll(folder);
          for (const [path, entry] of after.entries)
            if (entry.kind === "file") texts.push([path, await readFile(join(folder, path), "utf8")]);
        });
        expect(revision).toBe(before.revision);
        expect(rebuild(before.entries, changes)).toEqual(after.entries);
        for (const { path, before: old, content } of changes) {
          if (content?.kind !== "text") continue;
          const was = old?.kind === "file" ? await readFile(join(bench.folder, path), "utf8") : "";
          const is = new Map(texts).get(path) ?? "";
          expect(applyHunks(was, content.hunks)).toBe(is);
        }
        expect((await describeAll(bench.folder)).revision).toBe(before.revision);
        expect(after.revision === before.revision).toBe(changes.length === 0);
        expect(await bench.copies.readRevision(session, signal)).toBe(before.revision);
      }),
      { numRuns: full ? 600 : 40 },
    );
  });

  it("a copy has its own trash, which disappears with it", async () => {
    const bench = await createBench();
    await bench.workspace.write(session, "a.txt", "one", "write");
    const { changes } = await change(bench, async (_, copy) => {
      expect(await copy.remove(session, "a.txt")).toMatchObject({ ok: true });
      expect(await copy.restore(session)).toMatchObject({ kind: "restored" });
      expect(await copy.remove(session, "a.txt")).toMatchObject({ ok: true });
    });
    expect(changes.map(({ path, after }) => [path, after])).toEqual([["a.txt", undefined]]);
    expect(await bench.workspace.restore(session)).toEqual({ kind: "empty" });
  });

  it("belongs to whom commands run as, and stands where the engine guard lets them be mounted", async () => {
    const bench = await createBench();
    await mkdir(join(bench.folder, "sub"), { mode: 0o750 });
    await writeFile(join(bench.folder, "sub/run.sh"), "x", { mode: 0o755 });
    await makeTree(bench.folder, [["mine", { kind: "file", content: Buffer.from("x"), mode: 0o600 }]], owner);
    await change(bench, async (folder) => {
      expect(folder).toMatch(/\/workspaces\/[0-9a-f]{32}$/);
      expect(await stat(folder)).toMatchObject({ uid: owner ?? process.getuid?.() });
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      expect((await stat(join(folder, "sub"))).mode & 0o777).toBe(0o750);
      expect((await stat(join(folder, "sub/run.sh"))).mode & 0o777).toBe(0o755);
      expect(await stat(join(folder, "mine"))).toMatchObject({ uid: owner ?? process.getuid?.() });
    });
  });

  it("names lines, bytes, rights, links and folders that changed", async () => {
    const bench = await createBench();
    await writeFile(join(bench.folder, "notes.md"), "一\n二\n三\n");
    await writeFile(join(bench.folder, "image.bin"), Buffer.from([0, 1, 2]));
    await writeFile(join(bench.folder, "run.sh"), "x", { mode: 0o644 });
    await writeFile(join(bench.folder, "gone.txt"), "a\nb\n");
    const { changes } = await change(bench, async (folder, copy) => {
      await copy.write(session, "notes.md", "一\n二二\n三\n四\n", "write");
      await writeFile(join(folder, "image.bin"), Buffer.from([0, 1, 2, 3]));
      await chmod(join(folder, "run.sh"), 0o755);
      await rm(join(folder, "gone.txt"));
      await mkdir(join(folder, "new"));
      await symlink("/etc", join(folder, "new/etc"));
    });
    expect(changes).toMatchObject([
      { path: "gone.txt", content: { kind: "text", added: 0, removed: 2 } },
      { path: "image.bin", before: { size: 3 }, after: { size: 4 }, content: { kind: "binary" } },
      { path: "new", after: { kind: "folder" } },
      { path: "new/etc", after: { kind: "link", target: "/etc" } },
      { path: "notes.md", content: { kind: "text", added: 2, removed: 1 } },
      { path: "run.sh", before: { mode: 0o644 }, after: { mode: 0o755 } },
    ]);
    expect(changes.at(-1)?.content).toBeUndefined();
    expect(changes.at(0)?.after).toBeUndefined();
  });

  it("a copy does not count lines of large files or of files changed meanwhile", async () => {
    const bench = await createBench();
    await writeFile(join(bench.folder, "large.txt"), "x\n".repeat(400_000));
    await writeFile(join(bench.folder, "busy.txt"), "old\n");
    const { revision, changes } = await change(bench, async (folder) => {
      await writeFile(join(folder, "large.txt"), "y\n".repeat(400_000));
      await writeFile(join(folder, "busy.txt"), "new\n");
      await writeFile(join(bench.folder, "busy.txt"), "other\n");
    });
    expect(changes).toMatchObject([
      { path: "busy.txt", content: { kind: "lost" } },
      { path: "large.txt", content: { kind: "uncounted" } },
    ]);
    expect(await bench.copies.readRevision(session, signal)).not.toBe(revision);
  });

  it("shares no file with the workspace: hard links become files, links stay links", async () => {
    const bench = await createBench();
    await writeFile(join(bench.folder, "one"), "original");
    await link(join(bench.folder, "one"), join(bench.folder, "two"));
    await symlink(join(bench.folder, "one"), join(bench.folder, "back"));
    const { changes } = await change(bench, async (folder) => {
      expect((await stat(join(folder, "two"))).nlink).toBe(1);
      await writeFile(join(folder, "two"), "changed");
    });
    expect(changes.map(({ path }) => path)).toEqual(["two"]);
    expect(await readFile(join(bench.folder, "one"), "utf8")).toBe("original");
  });

  it("leaves out pipes and sockets, and names them", async () => {
    const bench = await createBench();
    const server = createServer().listen(join(bench.folder, "socket"));
    await once(server, "listening");
    onTestFinished(() => void server.close());
    execFileSync("mkfifo", [join(bench.folder, "pipe")]);
    await writeFile(join(bench.folder, "file"), "x");
    const { skipped, revision } = await change(bench, async (folder) => {
      expect(await readdir(folder)).toEqual(["file"]);
    });
    expect(skipped).toEqual([
      { path: "pipe", why: "pipe" },
      { path: "socket", why: "socket" },
    ]);
    expect(await bench.copies.readRevision(session, signal)).toBe(revision);
  });

  it("names what a command left there that cannot be compared, and does not call it gone", async () => {
    const bench = await createBench();
    await writeFile(join(bench.folder, "file"), "x");
    await mkdir(join(bench.folder, "folder"));
    await writeFile(join(bench.folder, "folder/inner"), "x");
    const { comparison } = await change(bench, async (folder) => {
      await rm(join(folder, "file"));
      execFileSync("mkfifo", [join(folder, "file")]);
      await rm(join(folder, "folder"), { recursive: true });
      execFileSync("mkfifo", [join(folder, "folder")]);
    });
    expect(comparison).toEqual({
      kind: "compared",
      changes: [],
      unseen: [
        { path: "file", why: "pipe" },
        { path: "folder", why: "pipe" },
      ],
    });
  });

  it.each([
    ["entries", { entries: 20 }],
    ["bytes", { bytes: 1_000_000 }],
    ["depth", { depth: 5 }],
  ] as const)("refuses a workspace with too many %s and leaves nothing behind", async (what, limits) => {
    const bench = await createBench(limits);
    for (let file = 0; file < 18; file += 1) await writeFile(join(bench.folder, `${file}`), "");
    const fine = await bench.copies.use(session, signal, async () => "ran");
    expect(fine).toMatchObject({ kind: "used", result: "ran" });
    await mkdir(join(bench.folder, "1a/2/3/4/5/6"), { recursive: true });
    await writeFile(join(bench.folder, "1a/sparse"), "");
    await truncate(join(bench.folder, "1a/sparse"), 1_000_001);
    let ran = false;
    const used = await bench.copies.use(session, signal, async () => {
      ran = true;
    });
    expect(used).toMatchObject({ kind: "refused", refusal: { kind: "too-large", excess: { what } } });
    expect(ran).toBe(false);
    expect(await readdir(bench.root)).toHaveLength(1);
    expect(await bench.copies.readRevision(session, signal)).toBeUndefined();
  });

  it("keeps the result when a command made too much to be compared", async () => {
    const bench = await createBench({ entries: 20 });
    const used = await bench.copies.use(session, signal, async (copy) => {
      const folder = await copy.folderFor(session);
      for (let file = 0; file < 41; file += 1) await writeFile(join(folder, `${file}`), "");
      return 7;
    });
    expect(used).toMatchObject({ kind: "used", result: 7, comparison: { kind: "too-large" } });
    expect(await readdir(bench.root)).toHaveLength(1);
  });

  it("a copy is removed whatever a command made of it, and when the trial throws or is stopped", async () => {
    const bench = await createBench();
    const broken = bench.copies.use(session, signal, async (copy) => {
      let folder = await copy.folderFor(session);
      await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]), "x");
      await mkdir(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x2d])]));
      for (let depth = 0; depth < 200; depth += 1) {
        folder = join(folder, "deep");
        await mkdir(folder);
        await writeFile(join(folder, "file"), "x");
        await symlink(bench.root, join(folder, "link"));
      }
      await chmod(folder, 0o000);
      throw new Error("on purpose");
    });
    await expect(broken).rejects.toThrow("on purpose");
    expect(await readdir(bench.root)).toHaveLength(1);
    const stopping = new AbortController();
    const stopped = bench.copies.use(session, stopping.signal, async () => stopping.abort(new Error("stop")));
    await expect(stopped).resolves.toMatchObject({ kind: "used" });
    await writeFile(join(bench.folder, "file"), "x");
    const late = bench.copies.use(session, stopping.signal, async () => "never");
    await expect(late).rejects.toThrow("stop");
    expect(await readdir(bench.root)).toHaveLength(1);
  });

  it("a sweep removes the copies of a dead process and keeps workspaces", async () => {
    const bench = await createBench();
    await writeFile(join(bench.folder, "keep"), "x");
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const used = bench.copies.use(session, signal, () => promise);
    await expect.poll(() => readdir(bench.root)).toHaveLength(2);
    await expect.poll(async () => (await readdir(bench.root)).length).toBe(2);
    expect(await bench.copies.sweep()).toBe(1);
    expect(await readdir(bench.root)).toHaveLength(1);
    expect(await readFile(join(bench.folder, "keep"), "utf8")).toBe("x");
    resolve(undefined);
    await expect(used).rejects.toMatchObject({ code: "ENOENT" });
    expect(await bench.copies.sweep()).toBe(0);
  });
});

describe("the revision of a workspace", () => {
  it("changes with content, name, rights, kind and target, also where size and times stay", async () => {
    const bench = await createBench();
    const revision = () => bench.copies.readRevision(session, signal);
    const seen = new Set<string | undefined>();
    const step = async (act: () => Promise<unknown>) => {
      await act();
      const now = await revision();
      expect(seen.has(now)).toBe(false);
      seen.add(now);
      expect(await revision()).toBe(now);
    };
    const file = join(bench.folder, "a");
    await step(async () => undefined);
    await step(() => writeFile(file, "1234"));
    const { atime, mtime } = await stat(file);
    await step(async () => {
      await writeFile(file, "4321");
      await utimes(file, atime, mtime);
    });
    await step(() => chmod(file, 0o600));
    await step(() => rename(file, join(bench.folder, "b")));
    await step(() => symlink("b", file));
    await step(async () => {
      await rm(file);
      await symlink("c", file);
    });
    await step(async () => {
      await rm(file);
      await mkdir(file);
    });
    await step(() => rename(join(bench.folder, "b"), join(bench.folder, "a/b")));
  });
});

describe.runIf(process.platform === "linux")("a copy while folders are swapped for links", () => {
  it("never holds what stands outside", async () => {
    const base = await createTemporaryFolder();
    const [root, outside] = [join(base, "workspaces"), join(base, "outside")];
    await mkdir(outside);
    await writeFile(join(outside, "file.txt"), "OUTSIDE");
    const workspace = createWorkspace({ root });
    const copies = createThrowAwayCopies({ root, workspace });
    const folder = await workspace.folderFor(session);
    const control = new Int32Array(new SharedArrayBuffer(8));
    const swapper = new Worker(new URL("../../support/swap-links-process.ts", import.meta.url), {
      workerData: { folder, outside, control },
    });
    onTestFinished(async () => {
      await swapper.terminate();
    });
    await once(swapper, "online");
    const seen = new Set<string>();
    let naiveLeaks = 0;
    const sawBoth = () => seen.has("inside") && seen.has("sub");
    for (let round = 0; round < (full ? 4_000 : 300) || (!sawBoth() && round < 10_000); round += 1) {
      const used = await copies.use(session, signal, async (copy) => {
        const copied = await copy.folderFor(session);
        for (const entry of await readdir(copied, { recursive: true, withFileTypes: true })) {
          seen.add(entry.isFile() ? await readFile(join(entry.parentPath, entry.name), "utf8") : entry.name);
        }
      });
      expect(used.kind).toBe("used");
    }
    // The same read done naively shows that the race is a real one, however the two threads are scheduled.
    for (let read = 0; read < 100_000 && naiveLeaks <= 10; read += 1) {
      const naive = await readFile(join(folder, "sub/file.txt"), "utf8").catch(() => "");
      if (naive === "OUTSIDE") naiveLeaks += 1;
    }
    const ended = once(swapper, "exit");
    Atomics.store(control, 0, 1);
    await ended;
    expect(naiveLeaks).toBeGreaterThan(10);
    expect(seen.has("OUTSIDE")).toBe(false);
    expect(sawBoth()).toBe(true);
    expect(await readdir(outside)).toEqual(["file.txt"]);
    expect(await readdir(root)).toHaveLength(1);
  });
});
