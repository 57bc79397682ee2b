import { once } from "node:events";
import { readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import type Docker from "dockerode";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../../src/core/log.ts";
import { sandboxLabels } from "../../../src/sandbox/container-spec.ts";
import { createOutputCollector } from "../../../src/sandbox/collect-output.ts";
import { createEngineGuard } from "../../../src/sandbox/engine-guard/engine-guard.ts";
import { createWorkspace } from "../../../src/workspace/create-workspace.ts";
import { makeImage, withoutRunner } from "../../support/derived-image.ts";
import { dockerIsThere, requireDocker } from "../../support/docker.ts";
import { sendRaw, startGuard, writeRequest, type GuardBench } from "../../support/engine-guard.ts";
import { createKurisuFolder } from "../../support/kurisu-process/kurisu-folder.ts";
import { spawnKurisu } from "../../support/kurisu-process/spawn-kurisu.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { createTestSandbox, sandboxImage } from "../../support/test-sandbox.ts";

const silent = createLog({ level: "silent", secrets: [] });

async function startSandbox(guard: GuardBench, instance = "boot-1", fresh = true) {
  const { installation } = guard.policy;
  const { image } = guard.policy;
  const { sandbox } = createTestSandbox({ docker: guard.docker, image, installation, instance });
  onTestFinished(() => sandbox.stop());
  const workspace = await guard.makeWorkspace();
  const run = (command: string, more: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {}) =>
    sandbox.run({
      command,
      cwd: ".",
      timeoutMs: 20_000,
      workspace,
      session: "test",
      fresh,
      signal: new AbortController().signal,
      ...more,
    });
  const filters = { label: [`${sandboxLabels.installation}=${installation}`] };
  /** As the real engine has them. */
  const containers = () => requireDocker().listContainers({ all: true, filters });
  return { sandbox, workspace, run, containers };
}

/** A container made past the guard, gone when the test is over. */
async function makeContainer(options: Docker.ContainerCreateOptions): Promise<Docker.Container> {
  const container = await requireDocker().createContainer({ Image: sandboxImage, ...options });
  onTestFinished(() => container.remove({ force: true }));
  return container;
}

describe.runIf(dockerIsThere())("the sandbox through the guard", () => {
  it("the sandbox through the guard is ready, runs commands on the workspace and leaves nothing behind", async () => {
    const guard = await startGuard();
    const { sandbox, run, workspace, containers } = await startSandbox(guard);
    expect(await sandbox.status()).toMatchObject({ state: "ready", image: { name: sandboxImage } });
    expect(await run("echo out; echo err >&2; echo kept > file; exit 3")).toMatchObject({
      kind: "finished",
      exitCode: 3,
      stdout: "out\n",
      stderr: "err\n",
    });
    expect(await readFile(join(workspace, "file"), "utf8")).toBe("kept\n");
    // The longest command there is, all of it characters that JSON writes long.
    const long = `printf %s '${"\u0001".repeat(32_000)}' | wc -c`;
    expect(await run(long)).toMatchObject({ kind: "finished", stdout: "32000\n" });
    expect(await containers()).toEqual([]);
    expect(guard.engine.calls.every((call) => call.length < 250)).toBe(true);
  });

  it("works on the folders that the file tools make", async () => {
    const guard = await startGuard();
    const { sandbox } = await startSandbox(guard);
    const files = createWorkspace({ root: guard.policy.workspaces });
    await files.write("chat", "note.txt", "from the host", "write");
    const workspace = await files.folderFor("chat");
    const signal = new AbortController().signal;
    const command = {
      command: "cat note.txt",
      cwd: ".",
      timeoutMs: 20_000,
      session: "chat",
      workspace,
      signal,
      fresh: true,
    };
    expect(await sandbox.run(command)).toMatchObject({ stdout: "from the host" });
  });

  it("keeps time limit, output cap and stopping", async () => {
    const { run, containers } = await startSandbox(await startGuard());
    expect(await run("echo begun; sleep 300", { timeoutMs: 1500 })).toMatchObject({ timedOut: true, exitCode: 137 });
    expect(await run("yes")).toMatchObject({ kind: "finished", truncated: true });
    const stopping = new AbortController();
    const running = run("sleep 300", { signal: stopping.signal });
    await expect.poll(async () => (await containers())[0]?.State).toBe("running");
    stopping.abort();
    expect(await running).toEqual({ kind: "stopped", started: true });
    expect(await containers()).toEqual([]);
  });

  it("keeps a session's container, and nothing more is asked of the engine for a command in it", async () => {
    const guard = await startGuard();
    const { sandbox, run, workspace, containers } = await startSandbox(guard, "boot-1", false);
    await sandbox.warm({ session: "test", workspace });
    const asked = guard.engine.calls.length;
    expect(await run("echo out; cat; exit 3")).toMatchObject({ kind: "finished", exitCode: 3, stdout: "out\n" });
    expect(await run("sleep 300 & echo begun; wait", { timeoutMs: 500 })).toMatchObject({ timedOut: true });
    const long = `printf %s '${"\u0001".repeat(32_000)}' | wc -c`;
    expect(await run(long)).toMatchObject({ kind: "finished", stdout: "32000\n" });
    expect(guard.engine.calls.slice(asked)).toEqual([]);
    expect(await containers()).toMatchObject([{ State: "running" }]);
    await sandbox.stop();
    expect(await containers()).toEqual([]);
  });

  it("gives every command a container of its own where the image has no runner", async () => {
    const image = await makeImage(withoutRunner);
    onTestFinished(image.remove);
    const guard = await startGuard({ image: image.name });
    const { run, containers } = await startSandbox(guard, "boot-1", false);
    expect(await run("echo out; exit 3")).toMatchObject({ exitCode: 3, stdout: "out\n" });
    expect(await containers()).toEqual([]);
  });

  it("sweeps what an instance before left, and sees no other installation", async () => {
    const guard = await startGuard();
    const { sandbox, containers } = await startSandbox(guard, "boot-2");
    const labels = { [sandboxLabels.sandbox]: "1", [sandboxLabels.instance]: "boot-1" };
    await makeContainer({ Labels: { ...labels, [sandboxLabels.installation]: "somebody-else" } });
    const { name, body } = guard.makeBody(await guard.makeWorkspace());
    const left = { _query: { name }, _body: body };
    await guard.docker.createContainer(left as unknown as Docker.ContainerCreateOptions);
    const seen = await guard.docker.listContainers({ all: true });
    expect(seen.map((container) => container.Labels[sandboxLabels.installation])).toEqual([guard.policy.installation]);
    expect(await sandbox.sweep()).toBe(1);
    expect(await containers()).toEqual([]);
  });

  it("says what is wrong when the guard was told another image, and when the engine is gone", async () => {
    const guard = await startGuard();
    const { sandbox, run } = await startSandbox({ ...guard, docker: guard.docker });
    const { sandbox: other } = createTestSandbox({ docker: guard.docker, image: "other:latest" });
    expect(await other.status()).toMatchObject({
      state: "no-permission",
      detail: expect.stringContaining("the sandbox makes no such call") as string,
    });
    expect(await sandbox.status()).toMatchObject({ state: "ready" });
    await rm(guard.engine.socketPath);
    expect(await run("echo x")).toMatchObject({
      kind: "unavailable",
      started: false,
      reason: expect.stringContaining("does not answer (ENOENT)"),
    });
    expect(sandbox.lastStatus()).toMatchObject({ state: "engine-missing" });
  });

  it("reports a command as begun when the engine breaks off in the middle", async () => {
    const guard = await startGuard();
    const { run, containers } = await startSandbox(guard);
    const running = run("sleep 300");
    await expect.poll(async () => (await containers())[0]?.State).toBe("running");
    onTestFinished(async () => {
      for (const { Id } of await containers()) await requireDocker().getContainer(Id).remove({ force: true });
    });
    guard.engine.die();
    expect(await running).toMatchObject({ kind: "unavailable", started: true });
  });
});

describe.runIf(dockerIsThere())("an attached stream", () => {
  it("goes both ways after an upgrade, and holds nothing but what was written", async () => {
    const guard = await startGuard();
    const labels = { [sandboxLabels.sandbox]: "1", [sandboxLabels.installation]: guard.policy.installation };
    const { id } = await makeContainer({
      Cmd: ["cat"],
      OpenStdin: true,
      StdinOnce: true,
      AttachStdin: true,
      Labels: labels,
    });
    const container = guard.docker.getContainer(id);
    const stream = await container.attach({ hijack: true, stream: true, stdin: true, stdout: true, stderr: true });
    await requireDocker().getContainer(id).start();
    const output = createOutputCollector(100_000);
    stream.on("data", (piece: Buffer) => output.write(piece));
    stream.write("hello ");
    stream.end("\u0000world");
    await once(stream, "end");
    expect(output.stdout()).toBe("hello \u0000world");
    expect(await container.wait({ condition: "not-running" })).toMatchObject({ StatusCode: 0 });
  });

  it("the guard releases an attached stream when the client leaves, upgraded or not", async () => {
    const guard = await startGuard();
    const { name, body } = guard.makeBody(await guard.makeWorkspace());
    // It must say something now and then: a client that only writes no more looks the same as one that has gone.
    const sleeping = { ...body, Cmd: [".", "while sleep 0.1; do echo x; done"] };
    const made = await sendRaw(
      guard.socketPath,
      writeRequest(`POST /containers/create?name=${name}`, JSON.stringify(sleeping)),
    );
    const [, id = ""] = /"Id":"([0-9a-f]{64})"/.exec(made.text) ?? [];
    const container = guard.docker.getContainer(id);
    onTestFinished(() => requireDocker().getContainer(id).remove({ force: true }));
    await container.start();
    for (const [query, headers] of [
      ["stream=true&stdout=true&stderr=true", []],
      ["hijack=true&stream=true&stdin=true&stdout=true&stderr=true", ["Connection: Upgrade", "Upgrade: tcp"]],
    ] as const) {
      const client = connect(guard.socketPath);
      client.write(writeRequest(`POST /containers/${id}/attach?${query}`, undefined, headers));
      await once(client, "data");
      await expect.poll(guard.engine.connections).toBe(1);
      client.destroy();
      await expect.poll(guard.engine.connections).toBe(0);
    }
  });

  it("the guard refuses to attach to containers of others, with an answer that a client can read", async () => {
    const guard = await startGuard();
    const { id } = await makeContainer({ Cmd: ["cat"], OpenStdin: true });
    const attach = guard.docker
      .getContainer(id)
      .attach({ hijack: true, stream: true, stdin: true, stdout: true, stderr: true });
    await expect(attach).rejects.toThrow(/403.*none of this installation/);
    const upgrade = ["Connection: Upgrade", "Upgrade: tcp"];
    for (const line of ["GET /version", "POST /session", `POST /containers/${id}/start`, "POST /grpc"]) {
      const answer = await sendRaw(guard.socketPath, writeRequest(line, undefined, upgrade));
      expect({ line, status: answer.status }).toEqual({ line, status: 403 });
    }
  });
});

describe.runIf(dockerIsThere())("a workspace that is not what it seems", () => {
  it("the guard does not mount a workspace that is a link, is gone, or became a link before the start", async () => {
    const guard = await startGuard();
    const workspace = await guard.makeWorkspace();
    const { name, body } = guard.makeBody(workspace);
    const create = () =>
      sendRaw(guard.socketPath, writeRequest(`POST /containers/create?name=${name}`, JSON.stringify(body)));
    const made = await create();
    expect(made.status).toBe(201);
    const [, id = ""] = /"Id":"([0-9a-f]{64})"/.exec(made.text) ?? [];
    onTestFinished(() => requireDocker().getContainer(id).remove({ force: true }));
    await rename(workspace, `${workspace}.away`);
    expect((await create()).text).toContain("cannot be seen by the guard (ENOENT)");
    await symlink("/", workspace);
    expect((await create()).text).toContain("is no folder of its own");
    const start = await sendRaw(guard.socketPath, writeRequest(`POST /containers/${id}/start`));
    expect(start).toMatchObject({ status: 403, text: expect.stringContaining("is no folder of its own") });
    const { State } = await requireDocker().getContainer(id).inspect();
    expect(State.Status).toBe("created");
  });

  it("the guard does not mount a workspace when the folder of all workspaces is a link", async () => {
    const guard = await startGuard();
    const workspace = await guard.makeWorkspace();
    const { name, body } = guard.makeBody(workspace);
    await rename(guard.policy.workspaces, `${guard.policy.workspaces}.away`);
    await symlink(`${guard.policy.workspaces}.away`, guard.policy.workspaces);
    const answer = await sendRaw(
      guard.socketPath,
      writeRequest(`POST /containers/create?name=${name}`, JSON.stringify(body)),
    );
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining("is no folder of its own") });
  });
});

describe("the guard's socket", () => {
  const policy = { image: "x", installation: "x", identity: { uid: 1000, gid: 1000 }, workspaces: "/x", limits: {} };

  it("the guard's socket is for owner and group only, answers 502 without an engine, and is gone afterwards", async () => {
    const folder = await createTemporaryFolder();
    const listen = join(folder, "guard.sock");
    const guard = createEngineGuard({ listen, engine: join(folder, "none.sock"), policy, log: silent });
    await guard.start();
    onTestFinished(() => guard.stop());
    expect((await stat(listen)).mode & 0o777).toBe(0o660);
    const answer = await sendRaw(listen, writeRequest("GET /version"));
    expect(answer).toMatchObject({ status: 502, text: expect.stringContaining("does not answer (ENOENT)") });
    await guard.stop();
    await expect(stat(listen)).rejects.toThrow(/ENOENT/);
  });

  it("replaces a file that a dead guard left, but no living one and nothing else", async () => {
    const folder = await createTemporaryFolder();
    const listen = join(folder, "guard.sock");
    const start = async () => {
      const guard = createEngineGuard({ listen, engine: join(folder, "none.sock"), policy, log: silent });
      await guard.start();
      onTestFinished(() => guard.stop());
      return guard;
    };
    const dead = createServer().listen(`${listen}.1`);
    await once(dead, "listening");
    await rename(`${listen}.1`, listen);
    dead.close();
    await once(dead, "close");
    const guard = await start();
    expect((await sendRaw(listen, writeRequest("GET /version"))).status).toBe(502);
    await expect(start()).rejects.toThrow(/Another process listens/);
    await guard.stop();
    await writeFile(listen, "precious");
    await expect(start()).rejects.toThrow(/no socket/);
    expect(await readFile(listen, "utf8")).toBe("precious");
  });
});

describe("kurisu engine-guard", () => {
  it("starts without a data folder, takes image and limits from the configuration, ends by SIGTERM", async () => {
    const folder = createKurisuFolder({ "system/sandbox.yaml": "image: mine:1\nmemory: 64m\n" });
    const listen = join(await createTemporaryFolder(), "guard.sock");
    const guard = spawnKurisu(["engine-guard", "--listen", listen, "--user", "1234:1234"], { folder });
    await expect.poll(() => guard.stderr()).toContain("the engine guard listens");
    expect(guard.stderr()).toMatch(/"image":"mine:1".*"uid":1234.*workspaces/);
    expect((await sendRaw(listen, writeRequest("GET /info"))).status).toBe(403);
    await expect(stat(folder.home)).rejects.toThrow(/ENOENT/);
    // A client that stays does not keep it.
    const client = connect(listen);
    await once(client, "connect");
    guard.kill("SIGTERM");
    expect(await guard.ended()).toEqual({ code: 0, signal: null });
    await expect(stat(listen)).rejects.toThrow(/ENOENT/);
    client.destroy();
  });
});
