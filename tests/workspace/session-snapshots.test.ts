// full: needs PostgreSQL
import { chmod, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/store/open-store.ts";
import { findSnapshot } from "../../src/store/queries/session-files.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { createFolderWriters } from "../../src/workspace/folder-writers.ts";
import { namePlace } from "../../src/workspace/snapshots/name-place.ts";
import { createSessionSnapshots } from "../../src/workspace/snapshots/session-snapshots.ts";
import { HandClock } from "../support/hand-clock.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestStore } from "../support/test-store.ts";

const session = "fake:bot:owner";

/** A process with a data folder of its own. */
async function openHome(store: Store, clock: HandClock, limits = { bytes: 1024 * 1024, files: 100 }) {
  const home = await createTemporaryFolder();
  const root = join(home, "workspaces");
  const writers = createFolderWriters();
  const workspace = createWorkspace({ root, trash: join(home, "trash"), writers });
  const folder = await workspace.folderFor(session);
  const tooLarge: string[] = [];
  const snapshots = createSessionSnapshots({
    store,
    workspace,
    root,
    node: await namePlace(home),
    writers,
    limits,
    onTooLarge: async (of) => void tooLarge.push(of),
    clock,
    log: pino({ level: "silent" }),
  });
  return {
    ...snapshots,
    folder,
    root,
    tooLarge,
    workspace,
    /** As a command would. */
    async change(work: () => Promise<unknown>): Promise<void> {
      const end = writers.begin(folder);
      await work();
      end();
      await snapshots.save(session);
    },
    read: (path: string) => readFile(join(folder, path), "utf8"),
    write: (path: string, content: string | Buffer) => writeFile(join(folder, path), content),
  };
}

async function createBench(limits?: { readonly bytes: number; readonly files: number }) {
  const store = await createTestStore("postgres");
  const clock = new HandClock();
  return { store, a: await openHome(store, clock, limits), b: await openHome(store, clock, limits) };
}

const countParts = async ({ main }: Store): Promise<number> =>
  (await main.selectFrom("blobs").select("part").execute()).length;

const versionOf = async ({ main }: Store): Promise<number | undefined> => (await findSnapshot(main, session))?.version;

describe.skipIf(!postgresIsThere())("the files of a conversation", () => {
  it("another process restores contents, rights and links, without what was deleted", async () => {
    const { a, b, store } = await createBench();
    const large = Buffer.alloc(700_000, "0123456789");
    await a.change(async () => {
      await mkdir(join(a.folder, "src/deep"), { recursive: true });
      await a.write("src/deep/large.bin", large);
      await a.write("run.sh", "#!/bin/sh\n");
      await a.write("same", "#!/bin/sh\n");
      await a.write("empty", "");
      await a.write("gone.txt", "gone");
      await chmod(join(a.folder, "run.sh"), 0o755);
      await symlink("src/deep", join(a.folder, "inside"));
      await symlink("../../secret", join(a.folder, "outside"));
      await symlink("/etc/passwd", join(a.folder, "far"));
    });
    expect(await countParts(store)).toBe(3 + 1 + 1 + 1);
    expect(await a.workspace.remove(session, "gone.txt")).toMatchObject({ ok: true });
    await a.save(session);
    await b.write("stale.txt", "of an earlier time");

    expect(await b.restore(session)).toEqual({ kind: "restored", files: 5 });
    expect((await readdir(b.folder)).toSorted()).toEqual(["empty", "inside", "run.sh", "same", "src"]);
    expect(await readFile(join(b.folder, "src/deep/large.bin"))).toEqual(large);
    expect((await stat(join(b.folder, "run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readlink(join(b.folder, "inside"))).toBe("src/deep");
    expect(await b.restore(session)).toEqual({ kind: "same" });
  });

  it("files go back and forth, and only what changed is stored again", async () => {
    const { a, b, store } = await createBench();
    await a.change(() => a.write("kept.txt", "kept"));
    await a.change(() => a.write("changed.txt", "one"));
    await b.restore(session);
    await b.change(() => b.write("changed.txt", "two"));
    expect(await countParts(store)).toBe(3);
    expect(await versionOf(store)).toBe(3);
    expect(await a.restore(session)).toEqual({ kind: "restored", files: 2 });
    expect(await a.read("changed.txt")).toBe("two");
    // Nobody has written since: a look at the folder would find this file.
    await a.write("unseen.txt", "x");
    await a.save(session);
    expect(await versionOf(store)).toBe(3);
  });

  it("a process that has lost the conversation does not save its files", async () => {
    const { a, b } = await createBench();
    await a.change(() => a.write("a.txt", "a"));
    await b.restore(session);
    await b.change(() => b.write("a.txt", "b"));
    await expect(a.change(() => a.write("a.txt", "late"))).rejects.toMatchObject({ code: "TURN_LOST" });
    a.release(session);
    await a.restore(session);
    expect(await a.read("a.txt")).toBe("b");
  });

  it("files that are too large stay on their machine, which is told once, until they are small again", async () => {
    const { a, b, store } = await createBench({ bytes: 64 * 1024, files: 100 });
    await a.change(() => a.write("small.txt", "small"));
    await a.change(() => a.write("large.bin", Buffer.alloc(100_000)));
    await a.change(() => a.write("small.txt", "changed"));
    expect(a.tooLarge).toEqual([session]);
    expect(await store.main.selectFrom("session_files").selectAll().execute()).toEqual([]);
    await b.write("mine.txt", "mine");
    expect(await b.restore(session)).toMatchObject({ kind: "elsewhere" });
    expect(await b.read("mine.txt")).toBe("mine");
    b.release(session);
    await a.change(() => rm(join(a.folder, "large.bin")));
    expect(await b.restore(session)).toEqual({ kind: "restored", files: 1 });
    expect(await b.read("small.txt")).toBe("changed");
  });

  it("a restore refuses all files when one cannot be put in place, and those that were there stay", async () => {
    const { a, b, store } = await createBench();
    await a.change(() => a.write("good.txt", "good"));
    await b.write("mine.txt", "mine");
    const strange = [
      ["../escaped", null, "leads out"],
      ["a/../../escaped", null, "leads out"],
      ["/tmp/escaped", null, "leads out"],
      ["link", "../..", "leads out"],
      ["good.txt/below", null, "is a file and a folder"],
      ["lost", null, "is not in the database"],
    ] as const;
    for (const [path, target, reason] of strange) {
      const sha256 = target === null ? "0".repeat(64) : null;
      const row = { session, path, sha256, target, size: 1, mode: 0o644 };
      await store.main.insertInto("session_files").values(row).execute();
      await expect(b.restore(session)).rejects.toMatchObject({
        code: "FILES_NOT_RESTORED",
        message: expect.stringContaining(reason) as string,
      });
      expect(await readdir(b.folder)).toEqual(["mine.txt"]);
      await store.main.deleteFrom("session_files").where("path", "=", path).execute();
    }
    expect((await readdir(b.root)).filter((name) => name.startsWith(".restore-"))).toEqual([]);
    expect(await b.restore(session)).toEqual({ kind: "restored", files: 1 });
  });

  it("erased files leave every machine, and their contents leave the database", async () => {
    const { a, b, store } = await createBench();
    await a.change(() => a.write("private.txt", "private"));
    await b.restore(session);
    await store.main.deleteFrom("session_files").where("session", "=", session).execute();
    await store.main.updateTable("session_snapshots").set({ node: "" }).where("session", "=", session).execute();
    expect(await b.restore(session)).toEqual({ kind: "restored", files: 0 });
    expect(await readdir(b.folder)).toEqual([]);
    await b.sweep();
    expect(await countParts(store)).toBe(0);
    await b.change(() => b.write("new.txt", "new"));
    expect(await a.restore(session)).toEqual({ kind: "restored", files: 1 });
  });
});
