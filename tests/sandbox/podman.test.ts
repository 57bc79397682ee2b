import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { besideOthers } from "../support/keep-until.ts";
import { podmanIsThere, startPodman, type PodmanService } from "../support/podman.ts";
import { createSandboxBench } from "../support/sandbox-bench.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { sandboxImage } from "../support/test-sandbox.ts";

const ways = [
  { way: "a container for each command", fresh: true },
  { way: "the session's container", fresh: false },
];

const isThere = podmanIsThere();
let podman: PodmanService;
beforeAll(async () => {
  if (isThere) podman = await startPodman();
});
afterAll(async () => {
  if (isThere) await podman.stop();
});

// Each test mostly waits for Podman.
describe.runIf(isThere).concurrent.each(ways)("on Podman, with $way", ({ fresh }) => {
  async function createBench(options: Parameters<typeof createSandboxBench>[0] = {}) {
    const seccompFile = join(await createTemporaryFolder(), "seccomp.json");
    const workspaces = await createTemporaryFolder();
    return createSandboxBench({
      docker: podman.docker,
      image: sandboxImage,
      seccompFile,
      workspaces,
      ...options,
      fresh,
    });
  }

  it(
    "the sandbox is ready, and commands have no rights, no network, a read-only system and no risky system call",
    besideOthers(async ({ expect }) => {
      const bench = await createBench();
      expect(await bench.sandbox.examine()).toMatchObject({ state: "ready" });
      const numbers = process.arch === "arm64" ? "425 117 97 40 280 219 282 241" : "425 101 272 165 321 250 323 298";
      const { stdout } = await bench.run(
        "id -u; grep -E 'Cap(Eff|Prm|Bnd|Inh|Amb)|NoNewPrivs|Seccomp:' /proc/self/status | tr -d '\\t'; ls /sys/class/net; echo x > /etc/x || echo refused; " +
          `perl -e 'for (qw(${numbers})) { $! = 0; syscall($_, 1, 0, 0, 0, 0); print 0 + $!, " " }'`,
      );
      const lines = stdout.trim().split("\n");
      for (const name of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
        expect(lines).toContain(`${name}:0000000000000000`);
      expect(lines).toEqual(expect.arrayContaining(["1000", "NoNewPrivs:1", "Seccomp:2", "lo", "refused"]));
      expect(lines.at(-1)?.trim().split(" ")).toEqual(Array<string>(8).fill("1"));
    }),
  );

  it(
    "reports codes, streams and environment, and keeps the workspace and nothing else",
    besideOthers(async ({ expect }) => {
      const bench = await createBench();
      expect(await bench.run("echo out; echo err >&2; exit 7")).toMatchObject({
        exitCode: 7,
        stdout: "out\n",
        stderr: "err\n",
      });
      const signalled = await bench.run("date +%Z; kill -TERM $$", { environment: { TZ: "Asia/Tokyo" } });
      expect(signalled).toMatchObject({ stdout: "JST\n", exitCode: 143 });
      await bench.run("echo kept > file; touch /tmp/lost /dev/shm/lost; setsid -f sleep 300");
      expect(
        await bench.run("cat file; find / -name lost 2>/dev/null; cat /proc/[0-9]*/comm | grep -c sleep"),
      ).toMatchObject({
        stdout: "kept\n0\n",
      });
      expect(await readFile(join(bench.workspace, "file"), "utf8")).toBe("kept\n");
    }),
  );

  it(
    "ends what runs too long, says too much, forks too much or takes too much memory",
    besideOthers(async ({ expect }) => {
      const bench = await createBench({ limits: { outputBytes: 100_000, memoryBytes: 64 * 1024 * 1024 } });
      const late = await bench.run("trap '' TERM; echo begun; setsid sleep 300 & sleep 300", { timeoutMs: 6_000 });
      expect(late).toMatchObject({ timedOut: true, exitCode: 137, stdout: "begun\n" });
      const flood = await bench.run("yes");
      expect(flood).toMatchObject({ truncated: true });
      expect(flood.stdout).toHaveLength(100_000);
      const bomb = await bench.run("bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 1; echo over", {
        timeoutMs: 10_000,
      });
      expect(bomb.kind).toBe("finished");
      const greedy = await bench.run("perl -e '$x = \"a\" x (300 * 1024 * 1024)'");
      // A kept container counts its own commands; Podman does not report those of another one everywhere (docs/security/sandbox.md).
      expect([greedy.exitCode, greedy.outOfMemory || fresh]).toEqual([137, true]);
    }),
  );

  it(
    "stops, is removed under a command, and leaves nothing behind",
    besideOthers(async ({ expect }) => {
      const bench = await createBench();
      const stop = new AbortController();
      const stopped = await bench.begin("echo begun; sleep 300", { signal: stop.signal });
      stop.abort();
      expect(await stopped.outcome).toEqual({ kind: "stopped", started: true });
      const removed = await bench.begin("echo begun; sleep 300");
      for (const { Id } of await bench.containers()) await podman.docker.getContainer(Id).remove({ force: true });
      expect(await removed.outcome).toMatchObject({ kind: "unavailable", started: true });
      expect(await bench.run("echo again")).toMatchObject({ stdout: "again\n" });
      await bench.sandbox.stop();
      await expect.poll(bench.containers).toEqual([]);
    }),
  );

  it(
    "the next start sweeps the containers of an earlier one",
    besideOthers(async ({ expect }) => {
      const before = await createBench();
      const { outcome } = await before.begin("echo begun; sleep 300");
      const after = await createBench({ installation: before.installation, instance: "boot-2" });
      expect(await after.sandbox.sweep()).toBe(1);
      expect(await outcome).toMatchObject({ kind: "unavailable", started: true });
    }),
  );
});
