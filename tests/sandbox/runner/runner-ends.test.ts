import { describe, expect, it } from "vitest";
import { openTestRunner, runnerIsThere, waitForRunnerEnd } from "../../support/runner-container.ts";
import type { TestRunner } from "../../support/runner-container.ts";

const countProcesses = "all=(/proc/[0-9]*); echo ${#all[@]}";

/** Only the runner and the bash that counts. */
async function expectClean({ run }: TestRunner): Promise<void> {
  expect(await run(`${countProcesses}; grep -l 'State:.Z' /proc/[0-9]*/status || echo no zombies`)).toMatchObject({
    stdout: "2\nno zombies\n",
  });
}

describe.runIf(await runnerIsThere())("the end of a command in the runner", () => {
  it("comes at the time limit, for daemons too that refuse to go", async () => {
    const bench = await openTestRunner();
    const stubborn =
      "trap '' TERM INT HUP QUIT; echo begun; setsid bash -c 'trap \"\" TERM; sleep 300 & wait' & (setsid setsid sleep 300 &); sleep 300";
    expect(await bench.run(stubborn, { timeoutMs: 1500 })).toMatchObject({
      timedOut: true,
      exitCode: 137,
      stdout: "begun\n",
    });
    await expectClean(bench);
  });

  it("comes with the end of its main process, whoever still holds the output", async () => {
    const bench = await openTestRunner();
    const outcome = await bench.run(
      "sleep 300 & (setsid bash -c 'while :; do echo still; sleep 0.01; done' &) ; (sleep 300 >/dev/null 2>&1 &); echo over",
    );
    expect(outcome).toMatchObject({ exitCode: 0, timedOut: false });
    expect(outcome.stdout).toMatch(/over\n/);
    await expectClean(bench);
  });

  it("comes at the output limit of either stream, and the runner stays small", async () => {
    const bench = await openTestRunner();
    const seen: number[] = [];
    const flood = await bench.run("head -c 50000000 /dev/zero; echo not reached > file", {
      outputBytes: 100_000,
      onOutput: (part) => seen.push(part.text.length),
    });
    expect(flood).toMatchObject({ truncated: true, timedOut: false, exitCode: 137 });
    expect(flood.stdout).toHaveLength(100_000);
    expect(seen.reduce((sum, length) => sum + length, 0)).toBe(100_000);
    expect(await bench.run("yes >&2", { outputBytes: 5000 })).toMatchObject({
      truncated: true,
      stdout: "",
      exitCode: 137,
    });
    expect(await bench.run("head -c 5000 /dev/zero; ls file", { outputBytes: 5000 })).toMatchObject({
      truncated: false,
      exitCode: 2,
    });
    const whole = await bench.run("head -c 50000000 /dev/zero", { outputBytes: 60_000_000 });
    expect(whole).toMatchObject({ truncated: false, exitCode: 0 });
    expect(whole.stdout).toHaveLength(50_000_000);
    const { stdout } = await bench.run("grep -E 'VmHWM' /proc/1/status");
    expect(Number(/(\d+) kB/.exec(stdout)?.[1])).toBeLessThan(2048);
  });

  it("lets neither stream wait for the other one's flood", async () => {
    const { run } = await openTestRunner();
    const outcome = await run("yes & for i in {1..200}; do echo $i >&2; done; kill %1", { outputBytes: 50_000_000 });
    expect(outcome.stderr.split("\n")).toHaveLength(201);
  });

  it("comes at once when it is aborted, before or while it runs", async () => {
    const bench = await openTestRunner();
    expect(await bench.start("echo x", { signal: AbortSignal.abort() })).toEqual({ kind: "stopped", started: false });
    const stop = new AbortController();
    const running = bench.start("trap '' TERM; touch begun; echo ready; sleep 300", {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });
    expect(await running).toEqual({ kind: "stopped", started: true });
    await expectClean(bench);
    const early = new AbortController();
    const soon = bench.start("sleep 300", { signal: early.signal });
    early.abort();
    expect(await soon).toMatchObject({ kind: "stopped" });
    await expectClean(bench);
  });

  it("leaves nothing of a fork bomb, ten times over", async () => {
    const bench = await openTestRunner({ limits: { pids: 64 } });
    for (let turn = 0; turn < 10; turn += 1) {
      const bomb = "bomb() { bomb | bomb & }; bomb; while :; do bomb; done";
      const outcome = await bench.run(bomb, { timeoutMs: 400, outputBytes: 16 * 1024 * 1024 });
      expect(outcome).toMatchObject({ timedOut: true, exitCode: 137 });
      await expectClean(bench);
    }
  });

  it("says that memory ran out, for this command only, and shared memory does not outlive it", async () => {
    const { run } = await openTestRunner({ limits: { memoryBytes: 96 * 1024 * 1024 } });
    expect(await run("perl -e '$x = \"a\" x (300 * 1024 * 1024)'")).toMatchObject({ exitCode: 137, outOfMemory: true });
    expect(await run("exit 137")).toMatchObject({ exitCode: 137, outOfMemory: false });
    // shmget and semget by their numbers (the profile has no message queues); the segment is filled, and nobody else may read it.
    const [shm, sem] = process.arch === "arm64" ? [194, 190] : [29, 64];
    const hoard =
      `perl -e '$m = syscall(${shm}, 0, 50 << 20, 01200); syscall(${sem}, 0, 5, 01000); ` +
      'shmwrite($m, "x" x (50 << 20), 0, 50 << 20) or die $!\'; wc -l < /proc/sysvipc/shm; wc -l < /proc/sysvipc/sem';
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await run(hoard)).toMatchObject({ stdout: "2\n2\n", outOfMemory: false });
      expect(await run("cat /proc/sysvipc/* | wc -l")).toMatchObject({ stdout: "3\n" });
    }
  });

  it("comes for the container when the stream to the gateway ends", async () => {
    const { container, client, start } = await openTestRunner();
    const running = start("trap '' TERM HUP; (setsid sleep 300 &); echo ready; sleep 300", {
      onOutput: () => client.close(),
    });
    expect(await running).toMatchObject({ kind: "lost", started: true });
    expect(await waitForRunnerEnd(container)).toBe(0);
    expect(client.state()).toMatchObject({ kind: "lost" });
    expect(await start("echo x")).toMatchObject({ kind: "lost", started: false });
  });

  it("the client reports a command as lost when its container is killed", async () => {
    const { container, start } = await openTestRunner();
    const running = start("echo ready; sleep 300", { onOutput: () => void container.kill() });
    expect(await running).toMatchObject({ kind: "lost", started: true, reason: expect.stringMatching(/has ended/) });
    expect(await start("echo x")).toMatchObject({ kind: "lost", started: false });
  });

  it("the client reports a command as lost when the runner does not answer", async () => {
    const { container, start } = await openTestRunner({ clientLimits: { ping: 100, pong: 300, grace: 300 } });
    // Frozen by the engine, so that not even the kernel answers for it.
    const running = start("echo ready; sleep 300", { onOutput: () => void container.pause() });
    expect(await running).toMatchObject({ kind: "lost", started: true, reason: expect.stringMatching(/answer/) });
  });
});
