// full: races two processes for thousands of rounds
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const rounds = process.env.KURISU_TEST_FULL === "1" ? 40_000 : 4_000;

describe.runIf(process.platform === "linux")("the workspace while its folders are swapped for links", () => {
  it("never reads or writes outside", async () => {
    const base = await createTemporaryFolder();
    const outside = join(base, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "file.txt"), "OUTSIDE");
    const workspace = createWorkspace({ root: join(base, "workspaces") });
    const folder = await workspace.folderFor("s");
    const control = new Int32Array(new SharedArrayBuffer(8));
    const swapper = new Worker(new URL("../support/swap-links-process.ts", import.meta.url), {
      workerData: { folder, outside, control },
    });
    onTestFinished(async () => {
      await swapper.terminate();
    });
    await once(swapper, "online");
    const read: string[] = [];
    let naiveLeaks = 0;
    for (let round = 0; round < rounds; round += 1) {
      const answer = await workspace.readText("s", "sub/file.txt");
      read.push(answer.ok ? answer.text : "");
      if (round % 4 === 0) await workspace.write("s", "sub/file.txt", "written", round % 8 === 0 ? "write" : "append");
      // The same read done naively shows that the race is a real one.
      const naive = await readFile(join(folder, "sub/file.txt"), "utf8").catch(() => "");
      if (naive === "OUTSIDE") naiveLeaks += 1;
    }
    const ended = once(swapper, "exit");
    Atomics.store(control, 0, 1);
    await ended;
    expect(read.filter((text) => text.includes("OUTSIDE"))).toEqual([]);
    expect(await readFile(join(outside, "file.txt"), "utf8")).toBe("OUTSIDE");
    expect(await readdir(outside)).toEqual(["file.txt"]);
    expect({ someRead: read.some((text) => text !== ""), someRefused: read.includes("") }).toEqual({
      someRead: true,
      someRefused: true,
    });
    expect(Atomics.load(control, 1)).toBeGreaterThan(1000);
    expect(naiveLeaks).toBeGreaterThan(10);
  });
});
