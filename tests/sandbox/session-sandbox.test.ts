import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "vitest";
import { besideOthers, untilTestEnds } from "../support/keep-until.ts";
import { HandClock } from "../support/hand-clock.ts";
import { makeImage } from "../support/derived-image.ts";
import { requireDocker } from "../support/docker.ts";
import { runnerIsThere } from "../support/runner-container.ts";
import { createSandboxBench, type SandboxBench } from "../support/sandbox-bench.ts";

const there = await runnerIsThere();
const minute = 60_000;
const ids = async (bench: SandboxBench): Promise<string[]> => (await bench.containers()).map(({ Id }) => Id);
const remove = (id: string | undefined): Promise<unknown> =>
  requireDocker()
    .getContainer(id ?? "")
    .remove({ force: true });

describe.runIf(there).concurrent("a session's container", () => {
  it(
    "all commands of a session share one container, each with an empty /tmp; a fresh one is another",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench();
      await bench.run("touch kept /tmp/lost /dev/shm/lost");
      const [first] = await ids(bench);
      expect((await bench.run("ls; ls -A /tmp /dev/shm")).stdout).toBe("kept\n/dev/shm:\n\n/tmp:\n");
      expect(await ids(bench)).toEqual([first]);
      expect((await bench.run("echo $$ >/dev/null; cat /proc/1/comm", { fresh: true })).stdout).not.toBe(
        "kurisu-runner\n",
      );
      expect(await ids(bench)).toEqual([first]);
    }),
  );

  it(
    "a session's container shares no file, process or folder with another session's",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench();
      const other = { session: "other", workspace: await bench.makeWorkspace() };
      const { outcome } = await bench.begin("touch mine /tmp/mine /dev/shm/mine; echo begun; exec sleep 300");
      const seen = await bench.run(
        "find . /tmp /dev/shm -name mine; cat /proc/[0-9]*/comm | grep sleep; ipcs -m | wc -l",
        other,
      );
      expect(seen.stdout.trim()).toMatch(/^\d+$/);
      const containers = await bench.containers();
      const mounts = containers.map(({ Labels, Mounts }) => [Labels["kurisu.session"], Mounts[0]?.Source]);
      expect(Object.fromEntries(mounts)).toEqual({ test: bench.workspace, other: other.workspace });
      await bench.sandbox.stop();
      expect(await outcome).toEqual({ kind: "stopped", started: true });
    }),
  );

  it(
    "takes one command at a time, in order",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench();
      const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
      await Promise.all(
        numbers.map((number) => bench.run(`echo ${number} >> order; sleep 0.01; echo ${number} >> order`)),
      );
      const { stdout } = await bench.run("cat order");
      expect(stdout).toBe(numbers.map((number) => `${number}\n${number}\n`).join(""));
    }),
  );

  it(
    "brief commands run while commands of other sessions take every place",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench({ concurrency: 1 });
      await bench.begin("echo begun; exec sleep 300", { timeoutMs: 300_000 });
      const other = { session: "other", workspace: await bench.makeWorkspace() };
      const stopping = new AbortController();
      const brief = bench.run("echo read", { ...other, brief: true });
      const usual = bench.start("echo ran", { ...other, signal: stopping.signal });
      expect((await brief).stdout).toBe("read\n");
      stopping.abort();
      expect(await usual).toEqual({ kind: "stopped", started: false });
    }),
  );

  it(
    "a warmed container is there before its first command, and warming again changes nothing",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench();
      const place = { session: "test", workspace: bench.workspace };
      await Promise.all([bench.sandbox.warm(place), bench.sandbox.warm(place)]);
      const warmed = await ids(bench);
      expect(warmed).toHaveLength(1);
      expect((await bench.run("echo ready")).stdout).toBe("ready\n");
      await bench.sandbox.warm(place);
      expect(await ids(bench)).toEqual(warmed);
    }),
  );

  it(
    "a command in another workspace never runs in the container of the first",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench();
      await bench.run("touch here");
      const elsewhere = await bench.run("ls", { workspace: await bench.makeWorkspace() });
      expect(elsewhere.stdout).toBe("");
      expect((await bench.run("ls")).stdout).toBe("here\n");
      const others = await Promise.all([1, 2, 3].map(() => bench.makeWorkspace()));
      const outcomes = await Promise.all(others.map((workspace) => bench.run("sleep 0.1; echo done", { workspace })));
      expect(outcomes.map(({ stdout }) => stdout)).toEqual(["done\n", "done\n", "done\n"]);
    }),
  );

  it(
    "goes when it lay idle, when it is old and after its last command",
    besideOthers(async ({ expect }) => {
      const clock = new HandClock();
      const sessions = { idleMs: 10 * minute, ageMs: 60 * minute, commands: 9 };
      const bench = await createSandboxBench({ clock, sessions });
      await bench.run("true");
      clock.advance(9 * minute);
      await bench.sandbox.sweep();
      const [first] = await ids(bench);
      expect(first).toBeDefined();
      await bench.run("true");
      clock.advance(10 * minute);
      await bench.sandbox.sweep();
      await expect.poll(() => ids(bench)).toEqual([]);

      for (let minutes = 0; minutes < 60; minutes += 9, clock.advance(9 * minute)) await bench.run("true");
      const [old] = await ids(bench);
      await bench.run("true");
      expect((await ids(bench)).filter((id) => id !== old)).toHaveLength(1);

      for (let count = 0; count < 7; count += 1) await bench.run("true");
      const [before] = (await ids(bench)).filter((id) => id !== old);
      await bench.run("true");
      await expect.poll(() => ids(bench)).toEqual([]);
      await bench.run("true");
      expect(await ids(bench)).not.toContain(before);
    }),
  );

  it(
    "makes room for others: what was used last stays",
    besideOthers(async ({ expect }) => {
      const clock = new HandClock();
      const bench = await createSandboxBench({ clock, sessions: { kept: 2 } });
      const places = await Promise.all(
        ["a", "b", "c"].map(async (session) => ({ session, workspace: await bench.makeWorkspace() })),
      );
      const [a, b, c] = places;
      for (const place of [a, b, a, c]) {
        clock.advance(1000);
        await bench.run("true", place);
      }
      const sessions = async () => new Set((await bench.containers()).map(({ Labels }) => Labels["kurisu.session"]));
      await expect.poll(sessions).toEqual(new Set(["a", "c"]));
    }),
  );

  it(
    "serves 12 sessions at once, with no more containers than are kept",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench({ concurrency: 4 });
      let most = 0;
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, async (_, number) => {
          const workspace = await bench.makeWorkspace();
          const { stdout } = await bench.run(`echo ${number}`, { session: `${number}`, workspace });
          const running = (await bench.containers()).filter(({ State }) => State === "running");
          most = Math.max(most, running.length);
          return stdout;
        }),
      );
      expect(outcomes).toEqual(Array.from({ length: 12 }, (_, number) => `${number}\n`));
      // Two may be on their way out.
      expect(most).toBeLessThanOrEqual(10);
      await bench.sandbox.stop();
      expect(await bench.containers()).toEqual([]);
    }),
  );

  it(
    "the sandbox replaces a container that was removed or stopped between two commands",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench();
      await bench.run("touch kept");
      const [first] = await ids(bench);
      await remove(first);
      expect((await bench.run("ls")).stdout).toBe("kept\n");
      const [second] = await ids(bench);
      await requireDocker()
        .getContainer(second ?? "")
        .kill();
      expect((await bench.run("ls")).stdout).toBe("kept\n");
      expect(await ids(bench)).not.toContain(first);
    }),
  );

  it(
    "leaves nothing behind after many commands and a stop",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench();
      for (let count = 0; count < 40; count += 1) await bench.run("sleep 0 & true");
      expect(await ids(bench)).toHaveLength(1);
      await bench.sandbox.stop();
      expect(await bench.containers()).toEqual([]);
      expect(await bench.start("true")).toEqual({ kind: "stopped", started: false });
      await bench.sandbox.warm({ session: "test", workspace: bench.workspace });
      expect(await bench.containers()).toEqual([]);
    }),
  );

  it(
    "the next start sweeps a session's container",
    besideOthers(async ({ expect }) => {
      const before = await createSandboxBench();
      await before.sandbox.warm({ session: "test", workspace: before.workspace });
      const after = await createSandboxBench({ installation: before.installation, instance: "boot-2" });
      expect(await after.sandbox.sweep()).toBe(1);
      expect(await before.containers()).toEqual([]);
    }),
  );
});

describe.runIf(there).concurrent("a workspace over its limit", () => {
  const workspaceLimits = { bytes: 2 * 1024 * 1024, files: 50 };

  it.for([true, false])(
    "a workspace over its limit is reported, can be read and emptied, but not written (fresh: %s)",
    besideOthers(async ({ expect }, fresh: boolean) => {
      const bench = await createSandboxBench({ fresh, workspaceLimits });
      const filled = await bench.run("head -c 3M /dev/urandom > big; echo it > small");
      expect(filled.workspaceFull).toMatch(/over its limit of 2 MiB/);
      const tried = await bench.run("cat small; echo more >> small; echo new > other; echo 'it''s'", {});
      expect(tried).toMatchObject({ stdout: expect.stringMatching(/^it\n/) as string });
      expect(tried.workspaceFull).toBeDefined();
      expect((await stat(join(bench.workspace, "small"))).size).toBe(3);
      expect(await bench.run("rm big; cat small")).not.toHaveProperty("workspaceFull");
      expect(await bench.run("echo again > small; cat small")).toMatchObject({ stdout: "again\n" });
    }),
  );

  it(
    "counts files, sees what came from elsewhere, and folders it cannot look into",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench({ workspaceLimits });
      expect((await bench.run("for i in {1..60}; do : > $i; done")).workspaceFull).toMatch(/50 files/);
      expect(await bench.run("rm *")).not.toHaveProperty("workspaceFull");
      await writeFile(join(bench.workspace, "sent"), Buffer.alloc(3 * 1024 * 1024, 1));
      expect((await bench.run("ls")).workspaceFull).toMatch(/2 MiB/);
      const deep = "d=$(printf 'x%.0s' {1..200}); for i in {1..30}; do mkdir $d && cd $d || exit 1; done";
      expect((await bench.run(`rm sent; ${deep}`)).workspaceFull).toMatch(/cannot be told \(ENAMETOOLONG\)/);
      expect(await bench.run("rm -rf x*")).not.toHaveProperty("workspaceFull");
    }),
  );

  it(
    "holds no more than a hole's own size against a file with holes",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench({ workspaceLimits });
      expect(await bench.run("truncate -s 100M holes")).not.toHaveProperty("workspaceFull");
    }),
  );
});

describe.runIf(there).concurrent("what is no runner of ours", () => {
  async function borrowImage(change: string): Promise<string> {
    const image = await makeImage(change);
    untilTestEnds(image.remove);
    return image.name;
  }

  it.for(["LABEL kurisu.runner=0", "LABEL kurisu.runner="])(
    "the sandbox does not talk to the program: each command takes its own container (%s)",
    besideOthers(async ({ expect }, change: string) => {
      const bench = await createSandboxBench({ image: await borrowImage(change) });
      await bench.sandbox.warm({ session: "test", workspace: bench.workspace });
      expect((await bench.run("echo kept > file; touch /tmp/lost; cat file")).stdout).toBe("kept\n");
      expect((await bench.run("cat file; ls /tmp")).stdout).toBe("kept\n");
      expect(await ids(bench)).toEqual([]);
      const status = await bench.sandbox.status();
      expect(status).toMatchObject({ state: "ready", keepsContainers: false });
      expect(status.detail).toMatch(/without a runner[\s\S]*--onto/);
    }),
  );

  it(
    "the sandbox replaces a container that no longer answers, and the command may have run",
    besideOthers(async ({ expect }) => {
      const bench = await createSandboxBench();
      const { outcome } = await bench.begin("echo begun; sleep 300", { timeoutMs: 120_000 });
      const [first] = await ids(bench);
      await requireDocker()
        .getContainer(first ?? "")
        .pause();
      expect(await outcome).toMatchObject({
        kind: "unavailable",
        started: true,
        reason: expect.stringMatching(/does not answer/) as string,
      });
      expect((await bench.run("echo again")).stdout).toBe("again\n");
      await expect.poll(() => ids(bench)).not.toContain(first);
    }),
  );

  it(
    "runs what was agreed to in that image and in no other, also in the moment after the name was given away",
    besideOthers(async ({ expect }) => {
      const image = await borrowImage("LABEL kurisu.test=1");
      const bench = await createSandboxBench({ image });
      const agreed = (await bench.sandbox.findImage("test")) ?? "";
      expect((await bench.run("echo one", { image: agreed })).stdout).toBe("one\n");
      expect((await bench.run("echo two", { image: agreed, fresh: true })).stdout).toBe("two\n");
      await makeImage("LABEL kurisu.test=2", { name: image });
      // Nobody has looked at the engine since: the container that waits is still the one that was asked about.
      expect(await bench.sandbox.findImage("test")).toBe(agreed);
      expect((await bench.run("echo kept", { image: agreed })).stdout).toBe("kept\n");
      const refused = { kind: "unavailable", started: false, reason: expect.stringContaining("another one by now") };
      expect(await bench.start("touch ran", { image: agreed, fresh: true })).toMatchObject(refused);
      expect(await bench.start("touch ran", { image: agreed, session: "another" })).toMatchObject(refused);
      const now = (await bench.sandbox.findImage()) ?? "";
      expect(now).not.toBe(agreed);
      expect(await bench.start("touch ran", { image: agreed })).toMatchObject(refused);
      expect((await bench.run("ls", { image: now, fresh: true })).stdout).toBe("");
      expect((await bench.run("ls", { image: now })).stdout).toBe("");
    }),
  );

  it(
    "makes way for the image that was built meanwhile",
    besideOthers(async ({ expect }) => {
      const image = await borrowImage("LABEL kurisu.test=1");
      const bench = await createSandboxBench({ image });
      await bench.run("true");
      const [before] = await ids(bench);
      await makeImage("LABEL kurisu.test=2", { name: image });
      await bench.sandbox.status();
      await bench.run("true");
      await expect.poll(() => ids(bench)).not.toContain(before);
      expect(await ids(bench)).toHaveLength(1);
    }),
  );
});
