import { chown, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Docker from "dockerode";
import { describe, expect, it, onTestFinished } from "vitest";
import { nameCheckFolder } from "../../src/sandbox/mount-check.ts";
import { dockerIsThere } from "../support/docker.ts";
import { startGuard } from "../support/engine-guard.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { openOtherFoldersProxy } from "../support/other-folders-proxy.ts";
import { createSandboxBench } from "../support/sandbox-bench.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestSandbox } from "../support/test-sandbox.ts";

describe.runIf(dockerIsThere())("whether containers see our folders", () => {
  async function makeRoots() {
    const folder = await createTemporaryFolder();
    const [ours, theirs] = [join(folder, "ours--"), join(folder, "theirs")];
    await mkdir(ours);
    await mkdir(theirs);
    return { ours, theirs };
  }

  it("the check asks one container, once, and leaves nothing behind", async () => {
    const { ours } = await makeRoots();
    const engine = await openOtherFoldersProxy("nothing", "changed");
    const bench = await createSandboxBench({
      docker: new Docker({ socketPath: engine.socketPath }),
      workspaces: ours,
      fresh: true,
    });
    // It has not been asked when the first commands come: they wait for one answer.
    const outcomes = await Promise.all([bench.run("echo a"), bench.start("echo b", { session: "other" })]);
    expect(outcomes).toMatchObject([{ stdout: "a\n" }, { stdout: "b\n" }]);
    expect(await bench.sandbox.examine()).toMatchObject({ state: "ready" });
    expect(engine.created()).toBe(3);
    expect(await readdir(ours)).toEqual([]);
    expect(await bench.containers()).toEqual([]);
  });

  it("passes through the engine guard", async () => {
    const guard = await startGuard();
    const { installation, workspaces } = guard.policy;
    const { sandbox } = createTestSandbox({ docker: guard.docker, installation, workspaces });
    onTestFinished(() => sandbox.stop());
    expect(await sandbox.examine()).toMatchObject({ state: "ready" });
    expect(guard.engine.calls.filter((call) => call.startsWith("POST /containers/create"))).toHaveLength(1);
  });

  it.each(["other folders", "no folders"])("says so when the engine has %s there, and nothing runs", async (what) => {
    const { ours, theirs } = await makeRoots();
    const workspace = join(ours, "a".repeat(32));
    await mkdir(workspace);
    await writeFile(join(workspace, "mine"), "");
    const engine = await openOtherFoldersProxy(ours, theirs);
    const bench = await createSandboxBench({ docker: new Docker({ socketPath: engine.socketPath }), workspaces: ours });
    if (what === "other folders") await mirrorNames(ours, theirs);
    expect(await bench.sandbox.examine()).toMatchObject({
      state: "workspace-unseen",
      detail: expect.stringMatching(what === "other folders" ? /another folder/ : /does not see/) as string,
      remedy: expect.stringMatching(/same/) as string,
    });
    expect(await bench.start("touch ran", { workspace })).toMatchObject({ kind: "unavailable", started: false });
    expect(await readdir(workspace)).toEqual(["mine"]);
    expect(await bench.sandbox.status()).toMatchObject({ state: "workspace-unseen" });
    expect(bench.sandbox.lastStatus()).toMatchObject({ state: "workspace-unseen" });
    expect(await bench.containers()).toEqual([]);
  });

  it("the doctor reports folders that containers do not see, with the remedy", async () => {
    const folder = createKurisuFolder();
    const engine = await openOtherFoldersProxy(folder.home, `${folder.home.slice(0, -1)}~`);
    const environment = { DOCKER_HOST: `unix://${engine.socketPath}`, KURISU_MODEL: "offline", LANG: "C" };
    const doctor = spawnKurisu(["doctor"], { folder, environment });
    expect(await doctor.ended()).toMatchObject({ code: 1 });
    expect(doctor.stdout()).toMatch(/sandbox: .*does not see the workspace.*same path/);
    const fine = spawnKurisu(["doctor"], { folder: createKurisuFolder(), environment });
    await fine.ended();
    expect(fine.stdout()).toMatch(/✓ sandbox: /);
  });
});

/** Makes the folder that the check will use under the other root, empty, as the engine's host may happen to have it. */
async function mirrorNames(ours: string, theirs: string): Promise<void> {
  const folder = join(theirs, nameCheckFolder(ours));
  await mkdir(folder);
  await writeFile(join(folder, "nonce"), "0".repeat(32));
  if (process.getuid?.() === 0) await chown(folder, 1000, 1000);
}
