import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, expect, test, vi } from "vitest";
import { narrowDataFolder } from "../../src/store/engines/keep-private.ts";
import { lockDataFolder } from "../../src/store/engines/lock-data-folder.ts";
import { openStore } from "../support/open-store.ts";
import { deleteCheckpoints } from "../../src/store/queries/checkpoints.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Which files of a folder hold these bytes, wherever in them. */
function findRaw(folder: string, text: string): readonly string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
}

test("the files of a new data folder are their owner's only, whatever the umask, also those that SQLite makes", async () => {
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const home = await createTemporaryFolder();
  const lock = lockDataFolder(home, "test");
  const store = await openStore({ home });
  const names = readdirSync(home).filter((name) => statSync(join(home, name)).isFile());
  expect(names).toEqual(expect.arrayContaining(["kurisu.db", "kurisu.db-wal", "kurisu.db-shm", "checkpoints.db"]));
  expect(names.map((name) => [name, modeOf(join(home, name))])).toEqual(names.map((name) => [name, "600"]));
  await store.close();
  lock.release();
});

test("files that others could read before are narrowed, and nothing that is not ours", async () => {
  const home = await createTemporaryFolder();
  await (await openStore({ home })).close();
  for (const name of ["trash", "received", "outgoing", "mine"]) mkdirSync(join(home, name));
  const files = [
    "kurisu.db",
    "kurisu.log",
    "audit-anchor",
    "old.db",
    "received/plan.txt",
    "outgoing/1",
    "mine/x",
    "run.sh",
  ];
  for (const name of files.slice(1)) writeFileSync(join(home, name), "");
  for (const name of [...files, "trash", "received", "outgoing", "mine"]) chmodSync(join(home, name), 0o755);
  symlinkSync(join(home, "run.sh"), join(home, "kurisu.link"));
  expect(narrowDataFolder(home)).toEqual([]);
  const now = (names: readonly string[]) => new Set(names.map((name) => modeOf(join(home, name))));
  expect(now([...files.slice(0, 6), "trash", "received", "outgoing"])).toEqual(new Set(["700"]));
  expect(now(["mine", "mine/x", "run.sh"])).toEqual(new Set(["755"]));
});

test("deleted words are in no file any more: within a minute, and after the end", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const home = await createTemporaryFolder();
  const store = await openStore({ home });
  const typed = (count: number) => `canary-${count}-${"typed".repeat(20)}`;
  const key = (count: number) => ({ thread: `turn-${count}`, namespace: "", id: `checkpoint-${count}` });
  async function type(count: number): Promise<void> {
    await store.main
      .insertInto("pairings")
      .values({ person: "a", name: typed(count), code: "c", session: "s", created_at: 1, expires_at: 2 })
      .execute();
    const row = { ...key(count), parent: null, format: "json", metadata: Buffer.from("{}") };
    const checkpoint = Buffer.from(typed(count));
    await store.checkpointWriter.put({ ...row, checkpoint }, { prune: true, token: undefined });
  }
  await type(1);
  expect(findRaw(home, "canary-1")).not.toEqual([]);
  await store.main.deleteFrom("pairings").execute();
  await deleteCheckpoints(store.checkpoints, "turn-1");
  vi.advanceTimersByTime(60_000);
  expect(findRaw(home, "canary-1")).toEqual([]);
  await type(2);
  await store.main.deleteFrom("pairings").execute();
  await deleteCheckpoints(store.checkpoints, "turn-2");
  await store.close();
  expect(findRaw(home, "canary-2")).toEqual([]);
});
