// full: needs a container engine
import { once } from "node:events";
import { link, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { runnerIsThere } from "../support/runner-container.ts";
import { createWorkspaceBench, workspaceKinds } from "../support/workspaces.ts";

const withContainer = await runnerIsThere();
const kinds = workspaceKinds.filter((kind) => kind !== "container" || withContainer);
const isFull = process.env.KURISU_TEST_FULL === "1";

describe.each(kinds)("the workspace as a whole, %s", (kind) => {
  it("lists what is below a folder, sorted, within bounds, and goes into no link", async () => {
    const bench = await createWorkspaceBench(kind);
    const { workspace, session, folder, outside } = bench;
    for (const path of ["b.txt", "sub/deep/c.txt", "sub/d.txt", ".git/config", "sub/.env", "10:30.log"]) {
      await bench.put(path, path);
    }
    await symlink(outside, join(folder, "out"));
    await symlink(".", join(folder, "sub/round"));
    await writeFile(join(folder, "line\nfeed"), "");
    await bench.settle();
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xfc])]), "");
    const list = async (path: string, bounds = {}) => {
      const found = await workspace.list(session, path, bounds);
      if (!found.ok) return found.error;
      return [...found.entries.map((entry) => `${entry.kind} ${entry.path} ${entry.size}`), found.complete];
    };
    const inSub = ["folder sub/deep 0", "file sub/deep/c.txt 14", "link sub/round 0"];
    const sub = ["file sub/d.txt 9", ...inSub];
    expect(await list(".")).toEqual(["file b.txt 5", "link out 0", "folder sub 0", ...sub, true]);
    expect(await list("sub")).toEqual([...sub, true]);
    expect(await list("sub", { depth: 1 })).toEqual([sub[0], "folder sub/deep 0", "link sub/round 0", false]);
    expect(await list("sub/deep", { depth: 1 })).toEqual(["file sub/deep/c.txt 14", true]);
    expect((await list(".", { most: 2 })).at(-1)).toBe(false);
    for (const path of ["b.txt", "out", "sub/round"]) expect(await list(path)).toMatch(/not a folder|link/);
    expect(await list("nowhere")).toMatch(/There is no/);
    expect(await list("../..")).toMatch(/contains ".."/);
    const found = await workspace.stat(session, "b.txt");
    const { mtimeMs } = await stat(join(folder, "b.txt"));
    expect(found).toEqual({
      ok: true,
      entry: { path: "b.txt", kind: "file", size: 5, modified: Math.floor(mtimeMs) },
    });
    expect(await workspace.stat(session, ".")).toMatchObject({ entry: { kind: "folder", path: "." } });
    expect(await workspace.stat(session, "out")).toMatchObject({ entry: { kind: "link" } });
    expect(await workspace.stat(session, "out/secret.txt")).toMatchObject({ ok: false });
    expect(await workspace.stat(session, "nowhere")).toMatchObject({ error: expect.stringMatching(/There is no/) });
  });

  it("reads many files at once, without those it would not read one by one, within bounds", async () => {
    const bench = await createWorkspaceBench(kind);
    const { workspace, session, folder, outside } = bench;
    for (const name of ["a", "b", "sub/c"]) await bench.put(name, `${name}\n\n`);
    await bench.put("empty", "");
    await bench.put("large", "x".repeat(1001));
    await symlink(join(outside, "secret.txt"), join(folder, "out"));
    await symlink("sub", join(folder, "inner"));
    await link(join(folder, "a"), join(folder, "second"));
    await bench.settle();
    const paths = ["a", "b", "gone", "sub", "out", "inner/c", "large", "empty", "sub/c"];
    const read = async (asked: readonly string[], all: number) => {
      const found = await workspace.readMany(session, asked, { file: 1000, all });
      if (!found.ok) return found.error;
      return [found.looked, ...found.files.map(({ path, bytes }) => `${path}=${bytes.toString()}`)];
    };
    expect(await read(paths, 1000)).toEqual([9, "b=b\n\n", "empty=", "sub/c=sub/c\n\n"]);
    expect(await read(["b", "empty", "sub/c"], 4)).toEqual([2, "b=b\n\n", "empty="]);
    expect(await read(["sub/c"], 1), "one file always goes in").toEqual([1, "sub/c=sub/c\n\n"]);
    expect(await read([], 4)).toEqual([0]);
    expect(await read(["gone"], 4)).toEqual([1]);
    expect(await read(["b", "../b"], 4)).toMatch(/contains ".."/);
  });

  it("keeps what is removed, outside of the workspace, and puts it back, never over something", async () => {
    const bench = await createWorkspaceBench(kind);
    const { workspace, session, folder, outside } = bench;
    await bench.put("a.txt", "one");
    await bench.put("sub/deep/b.txt", "two");
    await symlink(outside, join(folder, "out"));
    await bench.settle();
    const first = await workspace.remove(session, "a.txt");
    expect(first).toEqual({ ok: true, id: expect.stringMatching(/^[2-9A-Z]{6}$/), path: "a.txt" });
    const second = await workspace.remove(session, "sub");
    expect(await workspace.remove(session, "out")).toMatchObject({ ok: true });
    expect(await readdir(folder)).toEqual([]);
    expect(await readdir(outside), "a link goes, not what it points at").toEqual(["secret.txt"]);
    expect(await workspace.remove(session, "a.txt")).toMatchObject({ error: expect.stringMatching(/There is no/) });
    expect(await workspace.restore(session)).toMatchObject({ kind: "restored", path: "out" });
    expect(await workspace.restore(session)).toMatchObject({ kind: "restored", path: "sub" });
    expect(await workspace.readText(session, "sub/deep/b.txt")).toMatchObject({ text: "two" });
    await bench.put("a.txt", "another");
    const id = first.ok ? first.id : "";
    expect(await workspace.restore(session, id)).toEqual({ kind: "occupied", id, path: "a.txt" });
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("another");
    await workspace.remove(session, "a.txt");
    expect(await workspace.restore(session, id.toLowerCase())).toEqual({ kind: "restored", id, path: "a.txt" });
    expect(await workspace.readText(session, "a.txt")).toMatchObject({ text: "one" });
    expect(await workspace.restore(session, second.ok ? second.id : "")).toMatchObject({
      kind: "unknown",
      known: [{ path: "a.txt" }],
    });
    expect(await workspace.restore("telegram:43:main")).toEqual({ kind: "empty" });
  });

  // By path it can be raced in theory (open-folder.ts).
  it.runIf(kind !== "host by path")(
    "never reads or writes outside while its folders are swapped for links",
    async () => {
      const bench = await createWorkspaceBench(kind);
      const { workspace, session, folder, outside } = bench;
      await writeFile(join(outside, "file.txt"), "OUTSIDE");
      const control = new Int32Array(new SharedArrayBuffer(8));
      const swapper = new Worker(new URL("../support/swap-links-process.ts", import.meta.url), {
        workerData: { folder, outside, control },
      });
      onTestFinished(async () => {
        await swapper.terminate();
      });
      await once(swapper, "online");
      const seen: string[] = [];
      const rounds = (kind === "container" ? 40 : 400) * (isFull ? 20 : 1);
      for (let round = 0; round < rounds; round += 1) {
        const text = await workspace.readText(session, "sub/file.txt");
        const many = await workspace.readMany(session, ["sub/file.txt"], { file: 1000, all: 1000 });
        const listed = await workspace.list(session, ".");
        seen.push(
          text.ok ? text.text : "",
          many.ok ? many.files.map(({ bytes }) => bytes.toString()).join() : "",
          listed.ok ? JSON.stringify(listed.entries) : "",
        );
        await workspace.write(session, "sub/file.txt", "written", round % 2 === 0 ? "write" : "append");
        await workspace.writeBytes(session, "sub/new.txt", Buffer.from("x"), { expected: "absent" });
        if (round % 20 === 0) await workspace.remove(session, "sub/file.txt");
        if (round % 20 === 0) await workspace.restore(session);
      }
      const ended = once(swapper, "exit");
      Atomics.store(control, 0, 1);
      await ended;
      expect(seen.filter((text) => /OUTSIDE|secret/.test(text))).toEqual([]);
      expect(await readFile(join(outside, "file.txt"), "utf8")).toBe("OUTSIDE");
      expect((await readdir(outside)).sort()).toEqual(["file.txt", "secret.txt"]);
      expect(Atomics.load(control, 1)).toBeGreaterThan(10);
    },
  );
});
