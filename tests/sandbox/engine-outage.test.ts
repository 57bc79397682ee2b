import { chown } from "node:fs/promises";
import Docker from "dockerode";
import { describe, expect, it, onTestFinished } from "vitest";
import { sandboxLabels } from "../../src/sandbox/container-spec.ts";
import { dockerIsThere, requireDocker } from "../support/docker.ts";
import { openEngineProxy } from "../support/engine-proxy.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestSandbox } from "../support/test-sandbox.ts";

// The proxy stands before a Unix socket; an engine behind TCP is not tested here.
describe.runIf(dockerIsThere() && process.env.DOCKER_HOST?.startsWith("tcp:") !== true)("an engine that fails", () => {
  async function createBench(fresh: boolean) {
    const proxy = await openEngineProxy();
    const { sandbox, installation } = createTestSandbox({ docker: new Docker({ socketPath: proxy.socketPath }) });
    const workspace = await createTemporaryFolder();
    if (process.getuid?.() === 0) await chown(workspace, 1000, 1000);
    const after = createTestSandbox({ docker: requireDocker(), installation, instance: "boot-2" }).sandbox;
    onTestFinished(async () => {
      await after.sweep();
    });
    const run = (command: string, onOutput?: () => void) =>
      sandbox.run({
        command,
        cwd: ".",
        timeoutMs: 20_000,
        workspace,
        session: "s",
        signal: new AbortController().signal,
        fresh,
        ...(onOutput === undefined ? {} : { onOutput }),
      });
    const filters = { label: [`${sandboxLabels.installation}=${installation}`] };
    const containers = () => requireDocker().listContainers({ all: true, filters });
    return { proxy, sandbox, after, run, containers };
  }

  const ways = [
    // It is left there by the engine that was lost, and removed once that is back.
    { way: "a container of its own", fresh: true, kept: 0 },
    // It ends by itself; another one is kept for the next command.
    { way: "the session's container", fresh: false, kept: 1 },
  ];
  it.each(ways)(
    "dies in the middle of a command in $way: it may have run, and the next instance cleans up",
    async ({ fresh, kept }) => {
      const bench = await createBench(fresh);
      const begun = Promise.withResolvers<void>();
      const running = bench.run("echo begun; sleep 300", () => begun.resolve());
      await begun.promise;
      bench.proxy.die();
      expect(await running).toMatchObject({
        kind: "unavailable",
        started: true,
        reason: expect.stringMatching(/engine was lost/),
      });
      expect(bench.sandbox.lastStatus().state).toBe("engine-missing");
      expect(await bench.run("echo x")).toMatchObject({ kind: "unavailable", started: false });
      bench.proxy.recover();
      expect((await bench.sandbox.status()).state).toBe("ready");
      expect(await bench.run("echo back")).toMatchObject({ kind: "finished", stdout: "back\n" });
      await expect.poll(async () => (await bench.containers()).length).toBe(kept);
      expect(await bench.after.sweep()).toBe(kept);
      await bench.sandbox.stop();
      expect(await bench.containers()).toEqual([]);
    },
  );

  it("hangs: the status says so within seconds", async () => {
    const bench = await createBench(true);
    bench.proxy.hang();
    expect(await bench.sandbox.status()).toMatchObject({
      state: "engine-missing",
      detail: expect.stringMatching(/in time/),
    });
    bench.proxy.die();
    await bench.sandbox.stop();
  });
});
