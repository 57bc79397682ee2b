// full: needs a container engine
import Docker from "dockerode";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { createChosenFiles } from "../../src/workspace/container/choose-files.ts";
import { createContainerFiles } from "../../src/workspace/container/container-files.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { openEngineProxy } from "../support/engine-proxy.ts";
import { runnerIsThere } from "../support/runner-container.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestSandbox } from "../support/test-sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

async function createBench(waiting: { readonly waitingMs?: number } = {}) {
  const engine = await openEngineProxy();
  const { sandbox } = createTestSandbox({ docker: new Docker({ socketPath: engine.socketPath }) });
  onTestFinished(() => sandbox.stop());
  const log = createLog({ level: "silent", secrets: [] });
  const workspace = createWorkspace({
    root: await createTemporaryFolder(),
    files: (host) =>
      createChosenFiles({ sandbox, host, container: createContainerFiles({ sandbox, ...waiting }), log }),
  });
  return { engine, sandbox, workspace, folder: await workspace.folderFor("s") };
}

const busy = { ok: false, code: "EBUSY", error: expect.stringMatching(/container/) };

describe.runIf(await runnerIsThere())("where files are touched", () => {
  it("files are touched in the container from the start when there is an engine, and never on the host once it goes away", async () => {
    const { engine, sandbox, workspace, folder } = await createBench();
    await sandbox.status();
    expect(await workspace.write("s", "a.txt", "one", "write")).toMatchObject({ ok: true });
    engine.die();
    for (const answer of [
      await workspace.readText("s", "a.txt"),
      await workspace.write("s", "b.txt", "two", "write"),
      await workspace.list("s", "."),
      await workspace.stat("s", "a.txt"),
    ]) {
      expect(answer).toEqual({ ok: false, error: expect.stringMatching(/engine/) });
    }
    expect(await readdir(folder)).toEqual(["a.txt"]);
    await sandbox.status();
    expect(await workspace.readText("s", "a.txt"), "also when the status says so").toMatchObject({ ok: false });
    engine.recover();
    await sandbox.status();
    expect(await workspace.readText("s", "a.txt")).toMatchObject({ ok: true, text: "one" });
  });

  it("files are touched on the host until there is an engine", async () => {
    const { engine, sandbox, workspace } = await createBench();
    engine.die();
    await sandbox.status();
    expect(await workspace.write("s", "a.txt", "one", "write")).toMatchObject({ ok: true });
    engine.recover();
    await sandbox.status();
    expect(await workspace.readText("s", "a.txt")).toMatchObject({ ok: true, text: "one" });
    engine.die();
    expect(await workspace.readText("s", "a.txt")).toMatchObject({ ok: false });
  });

  it("the workspace reports a running command rather than waiting for its end", async () => {
    const { sandbox, workspace, folder } = await createBench({ waitingMs: 2_000 });
    await sandbox.status();
    const stopping = new AbortController();
    const command = sandbox.run({
      command: "touch begun; sleep 60",
      cwd: ".",
      timeoutMs: 60_000,
      workspace: folder,
      session: "s",
      signal: stopping.signal,
    });
    // Brief actions go first as long as the command has not taken the container.
    await waitUntil("the command to begin", () => existsSync(join(folder, "begun")));
    expect(await workspace.readText("s", "a.txt")).toEqual(busy);
    stopping.abort();
    expect(await command).toMatchObject({ kind: "stopped" });
  });
});
