// full: starts the program
import { expect, it } from "vitest";
import { tables } from "../../src/assembly/features.ts";
import { checkUpdate } from "../../src/cli/check-update.ts";
import { recordRelease } from "../../src/features/updates/release-history.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createKurisuFolder, type KurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";

const environment = { KURISU_MODEL: "offline", DOCKER_HOST: "unix:///nowhere/docker.sock" };
const dayMs = 24 * 3_600_000;

async function record(home: string, version: string, now: number): Promise<void> {
  const { close, main } = await openStore({ home }, tables);
  await recordRelease(main, version, now);
  await close();
}

async function runDoctor(folder: KurisuFolder): Promise<string> {
  const doctor = spawnKurisu(["doctor", "--no-ask"], { folder, environment });
  await doctor.ended();
  return doctor.stdout();
}

it("doctor names the version before an update, from the first start with the new one", async () => {
  const folder = createKurisuFolder({ "system/models.yaml": "window:\n  block: 20\n" });
  await record(folder.home, "0.0.9", Date.now() - dayMs);
  expect(await runDoctor(folder)).toMatch(/版本: \S+（还没启动过），之前是 0\.0\.9$/m);
  const kurisu = await startKurisu({ folder, environment });
  await kurisu.stop();
  const told = await runDoctor(folder);
  expect(told).toMatch(/版本: \S+（从 \d{4}-\d\d-\d\d 起），之前是 0\.0\.9$/m);
  expect(told).toMatch(/! 配置: \S+models\.yaml:2 window\.block 已经不起作用，把这一行删掉：提示词/);
});

it("checkUpdate counts the changes of the changelog, and stops after a month", async () => {
  const { home } = createKurisuFolder();
  await record(home, "0.0.9", Date.now() - 60 * dayMs);
  await record(home, "Unreleased", Date.now() - dayMs);
  expect(await checkUpdate({ home, store: {} }, "Unreleased")).toEqual([
    { check: "version", state: "ok", detail: expect.stringMatching(/^Unreleased \(since .*\), after 0\.0\.9$/) },
    { check: "update", state: "ok", detail: expect.stringMatching(/^\d+ more changes in CHANGELOG\.md$/) },
  ]);
  const old = createKurisuFolder().home;
  await record(old, "0.0.9", Date.now() - 60 * dayMs);
  await record(old, "Unreleased", Date.now() - 31 * dayMs);
  expect(await checkUpdate({ home: old, store: {} }, "Unreleased")).toEqual([
    { check: "version", state: "ok", detail: "Unreleased" },
  ]);
});
