import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseAnchoring } from "../../src/workspace/open-folder.ts";
import { parseWorkspacePath, type WorkspacePath } from "../../src/workspace/parse-workspace-path.ts";
import { createTrash } from "../../src/workspace/trash.ts";
import { HandClock } from "../support/hand-clock.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const day = 24 * 3_600_000;

async function createBench(limits = {}) {
  const base = await createTemporaryFolder();
  const [root, folder] = [join(base, "trash"), join(base, "workspaces", "0".repeat(32))];
  await mkdir(folder, { recursive: true });
  const clock = new HandClock();
  const trash = createTrash({ root, anchoring: chooseAnchoring(), owner: undefined, clock, limits });
  const place = { session: "s", folder };
  return {
    root,
    folder,
    clock,
    trash,
    restore: (id?: string) => trash.restore(place, id),
    remove: async (name: string, content = "x") => {
      await writeFile(join(folder, name), content);
      return trash.put(place, parse(name));
    },
    removeFolder: async (name: string, files: number) => {
      await mkdir(join(folder, name));
      for (let file = 0; file < files; file += 1) await writeFile(join(folder, name, `${file}`), "");
      return trash.put(place, parse(name));
    },
    /** What is kept, the oldest first. */
    kept: async () => {
      const all = await trash.restore(place, "none");
      return all.kind === "unknown" ? all.known.map((item) => item.path).toReversed() : [];
    },
  };
}

function parse(path: string): WorkspacePath {
  const parsed = parseWorkspacePath(path);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed;
}

describe("the trash", () => {
  it("a sweep ignores foreign files in the trash, and a restore works without a lost description", async () => {
    const bench = await createBench();
    const { id } = await bench.remove("a", "kept");
    const folder = join(bench.root, "0".repeat(32));
    for (const path of [bench.root, folder]) await writeFile(join(path, ".DS_Store"), "");
    await writeFile(join(folder, id, "about.json"), "");
    bench.clock.advance(day - bench.clock.now() + Date.now());
    await bench.trash.sweep();
    expect(await bench.restore()).toEqual({ kind: "restored", id, path: id });
    expect(await readFile(join(bench.folder, id), "utf8")).toBe("kept");
  });

  it("keeps things for seven days and then lets them go, by itself at the next start", async () => {
    const bench = await createBench();
    await bench.remove("a");
    bench.clock.advance(6 * day);
    await bench.remove("b");
    expect(await bench.kept()).toEqual(["a", "b"]);
    bench.clock.advance(2 * day);
    await bench.trash.sweep();
    expect(await bench.kept()).toEqual(["b"]);
    bench.clock.advance(8 * day);
    await bench.trash.sweep();
    expect(await bench.restore()).toEqual({ kind: "empty" });
    expect(await readdir(join(bench.root, "0".repeat(32)))).toEqual([]);
  });

  it("keeps the newest when there is too much, by size and by count", async () => {
    const bySize = await createBench({ bytes: 64 * 1024 });
    for (const name of ["a", "b", "c", "d"]) await bySize.remove(name, "x".repeat(20_000));
    expect(await bySize.kept()).toEqual(["c", "d"]);
    const byCount = await createBench({ items: 2 });
    for (const name of ["a", "b", "c"]) await byCount.remove(name);
    expect(await byCount.kept()).toEqual(["b", "c"]);
  });

  it("puts back at once what is larger than it keeps, and says so", async () => {
    const bench = await createBench({ bytes: 64 * 1024 });
    await expect(bench.remove("large", "x".repeat(100_000))).rejects.toThrow(/larger than the trash keeps \(64 KiB\)/);
    await expect(bench.removeFolder("many", 60)).resolves.toMatchObject({ path: "many" });
    expect(await readdir(bench.folder)).toEqual(["large"]);
    expect(await bench.kept()).toEqual(["many"]);
  });

  it("loses nothing when it was cut off in the middle", async () => {
    const bench = await createBench();
    const { id } = await bench.remove("a", "content");
    // Before the move: the description is there and nothing else.
    const [session = ""] = await readdir(bench.root);
    await mkdir(join(bench.root, session, "CUTOFF"));
    await writeFile(
      join(bench.root, session, "CUTOFF", "about.json"),
      JSON.stringify({ path: "b", removed: 1, bytes: 0 }),
    );
    expect(await bench.kept()).toEqual(["a"]);
    expect(await readdir(join(bench.root, session))).toEqual([id]);
    expect(await bench.restore()).toMatchObject({ kind: "restored", path: "a" });
    expect(await readdir(bench.folder)).toEqual(["a"]);
  });
});
