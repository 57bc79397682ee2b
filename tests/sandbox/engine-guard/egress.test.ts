import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sandboxLabels } from "../../../src/sandbox/container-spec.ts";
import { requireDocker } from "../../support/docker.ts";
import { createEgressBench, relayIsThere, startEgressSite } from "../../support/egress-bench.ts";
import { sendRaw, startGuard, writeRequest } from "../../support/engine-guard.ts";
import { createTestSandbox } from "../../support/test-sandbox.ts";

describe.runIf(await relayIsThere())("a command that may reach hosts, through the guard", () => {
  it("gets to them by the socket in the folder of its run, and nothing is left of it", async () => {
    const guard = await startGuard();
    const { installation, egress: root = "" } = guard.policy;
    const site = await startEgressSite((_, response) => response.end("reached"));
    const way = await createEgressBench({ root });
    const { sandbox } = createTestSandbox({ docker: guard.docker, installation, egress: way.egress });
    onTestFinished(() => sandbox.stop());
    const outcome = await sandbox.run({
      command: "curl -sS http://public.test-site.net:8080/",
      cwd: ".",
      timeoutMs: 20_000,
      workspace: await guard.makeWorkspace(),
      session: "test",
      network: ["public.test-site.net:8080"],
      signal: new AbortController().signal,
    });
    expect(outcome).toMatchObject({ kind: "finished", stdout: "reached", network: { refused: [] } });
    expect(site.requests).toHaveLength(1);
    const filters = { label: [`${sandboxLabels.installation}=${installation}`] };
    expect([await requireDocker().listContainers({ all: true, filters }), way.folders()]).toEqual([[], []]);
  });

  it("the guard makes no container where a link stands in place of the folder, or nothing", async () => {
    const guard = await startGuard();
    const { egress: root = "" } = guard.policy;
    const workspace = await guard.makeWorkspace();
    await mkdir(root);
    const create = async (prepare: (folder: string) => Promise<void>) => {
      const { name, body } = guard.makeBody(workspace, (run) => join(root, run));
      await prepare(join(root, name.replace("kurisu-", "")));
      return sendRaw(guard.socketPath, writeRequest(`POST /containers/create?name=${name}`, JSON.stringify(body)));
    };
    expect(await create((folder) => symlink("/var/run", folder))).toMatchObject({ status: 403 });
    expect(await create(async () => undefined)).toMatchObject({ status: 403 });
    expect(guard.engine.calls).toEqual([]);
    const fine = await create(async (folder) => await mkdir(folder));
    expect(fine.status).toBe(201);
    const [, id = ""] = /"Id":"([0-9a-f]{64})"/.exec(fine.text) ?? [];
    await requireDocker().getContainer(id).remove({ force: true });
  });
});
