import Docker from "dockerode";
import { describe, expect, it } from "vitest";
import { dockerIsThere, requireDocker } from "../support/docker.ts";
import { createSandboxBench } from "../support/sandbox-bench.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { sandboxImage } from "../support/test-sandbox.ts";

/** What holds around a command, its rights, system calls and network, probes.test.ts asks in both ways. */
const ways = [
  { way: "a container for each command", fresh: true },
  { way: "the session's container", fresh: false },
];

describe.runIf(dockerIsThere()).each(ways)("the sandbox with $way", ({ fresh }) => {
  const image = sandboxImage;
  const createBench = (options: Parameters<typeof createSandboxBench>[0] = {}) =>
    createSandboxBench({ ...options, fresh });
  /** Between commands: a container that is kept, and no other. */
  const keptNow = fresh ? 0 : 1;

  it("says that it is ready, and with what", async () => {
    const { sandbox } = await createBench();
    expect(sandbox.lastStatus().state).toBe("engine-missing");
    expect(await sandbox.status()).toMatchObject({ state: "ready", image: { name: image } });
    expect(sandbox.lastStatus()).toEqual(await sandbox.status());
  });

  it("keeps the workspace between commands and nothing else", async () => {
    const { run } = await createBench();
    await run("mkdir sub && echo kept > sub/file && echo lost > /tmp/file");
    const { stdout } = await run("cat file; ls -A /tmp", { cwd: "./sub" });
    expect(stdout).toBe("kept\n");
    const missing = await run("echo never", { cwd: "./nowhere" });
    expect(missing).toMatchObject({ exitCode: 1, stdout: "" });
    expect(missing.stderr).toMatch(/nowhere/);
  });

  it("reports the exit code, both streams and the environment as they are", async () => {
    const { run } = await createBench();
    expect(await run("printf '研\\377'; echo no >&2; exit 7")).toMatchObject({
      exitCode: 7,
      stdout: "研\uFFFD",
      stderr: "no\n",
    });
    const given = await run("true; date +%Z; env", { environment: { TZ: "Asia/Tokyo", SECRET: "x" } });
    expect(given).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^JST\n/) });
    expect(given.stdout).not.toMatch(/SECRET|TOKEN|KEY/);
  });

  it("kills what runs too long, even if it refuses to go", async () => {
    const { run, containers } = await createBench();
    const outcome = await run("trap '' TERM INT; echo begun; setsid sleep 300 & sleep 300", { timeoutMs: 1500 });
    expect(outcome).toMatchObject({ timedOut: true, exitCode: 137, stdout: "begun\n" });
    expect(await containers()).toHaveLength(keptNow);
    expect((await run("cat /proc/[0-9]*/comm | grep -c sleep")).stdout).toBe("0\n");
  });

  it("cuts a flood at the cap", async () => {
    const seen: number[] = [];
    const { run } = await createBench({ limits: { outputBytes: 100_000 } });
    const outcome = await run("yes", { onOutput: (part) => seen.push(part.text.length) });
    expect(outcome).toMatchObject({ truncated: true, timedOut: false });
    expect(outcome.stdout).toHaveLength(100_000);
    expect(seen.reduce((sum, length) => sum + length, 0)).toBe(100_000);
  });

  it("runs several at once and the rest in order", async () => {
    const { run } = await createBench({ concurrency: 2 });
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map((number) => run(`echo ${number}`)));
    expect(outcomes.map((outcome) => outcome.stdout)).toEqual(["1\n", "2\n", "3\n", "4\n", "5\n"]);
  });

  it("stops at the signal, before and during", async () => {
    const bench = await createBench();
    expect(await bench.start("echo x", { signal: AbortSignal.abort() })).toEqual({ kind: "stopped", started: false });
    const stop = new AbortController();
    const { outcome } = await bench.begin("echo begun; sleep 300", { signal: stop.signal });
    stop.abort();
    expect(await outcome).toEqual({ kind: "stopped", started: true });
    expect(await bench.containers()).toHaveLength(keptNow);
  });

  it("kills everything when it is stopped, and runs nothing more", async () => {
    const bench = await createBench();
    const { outcome } = await bench.begin("echo begun; sleep 300");
    await bench.sandbox.stop();
    expect(await outcome).toEqual({ kind: "stopped", started: true });
    expect(await bench.start("echo x")).toEqual({ kind: "stopped", started: false });
    expect(await bench.containers()).toEqual([]);
  });

  it("says that a container was removed under it, and that the command may have begun", async () => {
    const bench = await createBench();
    const { outcome } = await bench.begin("echo begun; sleep 300");
    const [container] = await bench.containers();
    await requireDocker()
      .getContainer(container?.Id ?? "")
      .remove({ force: true });
    expect(await outcome).toMatchObject({
      kind: "unavailable",
      started: true,
      reason: expect.stringMatching(/removed/),
    });
    expect(await bench.run("echo again")).toMatchObject({ stdout: "again\n" });
  });

  it("names the remedy when image, workspace or runtime is missing", async () => {
    const noImage = await createBench({ image: "kurisu-none:latest" });
    expect(await noImage.start("echo x")).toMatchObject({
      kind: "unavailable",
      started: false,
      remedy: expect.stringMatching(/npm run sandbox:image/),
    });
    expect(noImage.sandbox.lastStatus().state).toBe("image-missing");
    expect((await noImage.sandbox.status()).state).toBe("image-missing");
    const bench = await createBench();
    expect(await bench.start("echo x", { workspace: "/nowhere/at/all" })).toMatchObject({
      kind: "unavailable",
      remedy: expect.stringMatching(/same path/),
    });
    const noRuntime = await createBench({ runtime: "nonesuch" });
    expect(await noRuntime.start("echo x")).toMatchObject({
      kind: "unavailable",
      remedy: expect.stringMatching(/sandbox\.yaml/),
    });
    expect(await noRuntime.containers()).toEqual([]);
  });

  it("sweeps what an earlier instance left behind and leaves other installations alone", async () => {
    const before = await createBench();
    const other = await createBench();
    const { outcome: lost } = await before.begin("echo begun; sleep 300");
    const { outcome: kept } = await other.begin("echo begun; sleep 300");
    expect(await before.sandbox.sweep()).toBe(0);
    const after = await createBench({ installation: before.installation, instance: "boot-2" });
    expect(await after.sandbox.sweep()).toBe(1);
    expect(await lost).toMatchObject({ kind: "unavailable", started: true });
    expect(await other.containers()).toHaveLength(1);
    await other.sandbox.stop();
    expect(await kept).toMatchObject({ kind: "stopped" });
  });
});

/** In the session's container, probes.test.ts tries each of these in every run. */
describe.runIf(dockerIsThere())("what takes too much", () => {
  it("a container for each command survives a fork bomb, a memory hog and a full disk of its own", async () => {
    const { run } = await createSandboxBench({
      fresh: true,
      limits: { memoryBytes: 64 * 1024 * 1024, fileBytes: 4 * 1024 * 1024 },
    });
    const bomb = await run("bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 1; echo over", { timeoutMs: 10_000 });
    expect(bomb.kind).toBe("finished");
    const hog = await run("perl -e '$x = \"a\" x (300 * 1024 * 1024)'");
    expect(hog).toMatchObject({ exitCode: 137, outOfMemory: true });
    const disk = await run(
      "head -c 10000000 /dev/zero > big; stat -c %s big; head -c 50000000 /dev/zero > /tmp/big || echo full",
    );
    expect(disk.stdout).toBe(`${4 * 1024 * 1024}\nfull\n`);
  });
});

describe("a sandbox without an engine", () => {
  const nothing = new Docker({ socketPath: "/nonexistent/engine.sock" });

  it("says so and runs nothing", async () => {
    const { sandbox } = await createSandboxBench({ docker: nothing });
    const workspace = await createTemporaryFolder();
    expect(await sandbox.status()).toMatchObject({
      state: "engine-missing",
      detail: expect.stringMatching(/nonexistent/),
    });
    const command = { command: "echo x", cwd: ".", timeoutMs: 1000, workspace, session: "s" };
    expect(await sandbox.run({ ...command, signal: new AbortController().signal })).toMatchObject({
      kind: "unavailable",
      started: false,
      remedy: expect.stringMatching(/Start Docker/),
    });
    expect(await sandbox.sweep()).toBe(0);
  });
});
