import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { runOnceHere } from "../support/kurisu-process/run-here.ts";
import { startKurisu, tryStartKurisu } from "../support/kurisu-process/start-kurisu.ts";

const environment = { KURISU_MODEL: "offline" };

test("a second start on the same data folder ends with 69 and names the process and the way to the chat; the first goes on", async () => {
  const folder = createKurisuFolder();
  const first = await startKurisu({ folder, environment });
  const second = await tryStartKurisu({ folder, environment });
  if (second.kind === "running") throw new Error("a second one runs on the same folder");
  expect(second.exit.code).toBe(69);
  expect(second.process.stderr()).toContain(`进程 ${first.pid}，kurisu start`);
  expect(second.process.stderr()).toContain("./kurisu chat");
  expect(second.process.stderr()).toContain(folder.home);
  expect(second.process.stderr()).not.toMatch(/\n\s+at /);
  expect((await runOnceHere("你好", { folder, environment })).code).toBe(0);
  await first.crash();
  // A process that was killed leaves no lock behind.
  const third = await startKurisu({ folder, environment });
  expect((await third.stop()).code).toBe(0);
});

test("a busy port ends with 69 and says which", async () => {
  const folder = createKurisuFolder();
  const busy = createServer();
  await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
  const { port } = busy.address() as AddressInfo;
  try {
    const started = await tryStartKurisu({ folder, environment: { ...environment, KURISU_PORT: String(port) } });
    if (started.kind === "running") throw new Error("it listens where somebody else does");
    expect(started.exit.code).toBe(69);
    expect(started.process.stderr()).toMatch(
      new RegExp(`Another program listens on 127\\.0\\.0\\.1:${port}.*KURISU_PORT`),
    );
    expect(started.process.stderr()).not.toMatch(/\n\s+at /);
  } finally {
    busy.close();
  }
});

test("a faulty configuration ends with 78 and lists every fault with its place, before anything is touched", async () => {
  const folder = createKurisuFolder({
    "system/tools.yaml": "approval:\n  timeout: soon\npermission: {}\n",
    "system/sandbox.yaml": "cpu: many\n",
    "system/channels.yaml": "language: klingon\n",
    "system/chanels.yaml": "{}\n",
  });
  const started = await tryStartKurisu({
    folder,
    environment: { ...environment, KURISU_OWNERS: "me", KURISU_HOST: "0.0.0.0", LOG_LEVEL: "loud" },
  });
  if (started.kind === "running") throw new Error("it started");
  expect(started.exit.code).toBe(78);
  const faults = started.process.stderr();
  for (const fault of [
    /tools\.yaml:2:\d+ approval\.timeout: /,
    /tools\.yaml:3:1 permission: /,
    /sandbox\.yaml:1:\d+ cpu: /,
    /channels\.yaml:1:\d+ language: /,
    /chanels\.yaml/,
    /environment KURISU_OWNERS: /,
    /environment KURISU_HOST: .*KURISU_CONSOLE_PASSWORD/,
    /environment LOG_LEVEL: /,
  ]) {
    expect(faults).toMatch(fault);
  }
  expect(faults).not.toMatch(/\n\s+at /);
  expect(folder.workspaces()).toEqual([]);
});
