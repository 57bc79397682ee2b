import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Docker from "dockerode";
import { beforeAll, describe, expect, it } from "vitest";
import { makeImage, withoutRunner } from "../support/derived-image.ts";
import { dockerIsThere, requireDocker } from "../support/docker.ts";
import { openEngineProxy } from "../support/engine-proxy.ts";
import { createSandboxBench, type SandboxBench } from "../support/sandbox-bench.ts";

const ids = async (bench: SandboxBench): Promise<string[]> => (await bench.containers()).map(({ Id }) => Id);

describe.runIf(dockerIsThere())("a session's container whose image has no runner", () => {
  let image = "";
  beforeAll(async () => {
    const made = await makeImage(withoutRunner);
    image = made.name;
    return made.remove;
  });

  it("is left with nothing but its first process, whatever a command did to hide", async () => {
    const bench = await createSandboxBench({ image });
    const hide =
      "for i in 1 2 3; do env -i setsid -f bash -c \"trap '' TERM HUP INT; exec -a 'runc init' sleep 300\"; done";
    for (const end of ["echo left", "sleep 300"]) {
      await bench.run(`${hide}; perl -e 'semget(7, 1, 01666)'; mkdir -p /tmp/a/b; echo x > /dev/shm/x; ${end}`, {
        timeoutMs: 1500,
      });
      const { stdout } = await bench.run(
        "cat /proc/[0-9]*/comm; find /tmp /dev/shm -mindepth 1; tail -qn +2 /proc/sysvipc/*",
      );
      // The first process and this command's own shell.
      expect(stdout).toBe("bash\nbash\n");
    }
    expect(await ids(bench)).toHaveLength(1);
  });

  it("has a first process that a command can neither end, read, limit nor feed", async () => {
    const bench = await createSandboxBench({ image });
    const { stdout } = await bench.run(
      "kill -9 1 || echo a; (: < /proc/1/fd/0) || echo b; (: > /proc/1/mem) || echo c; cat /proc/1/environ || echo d; prlimit --pid 1 --cpu=0 || echo e",
    );
    expect(stdout).toBe("a\nb\nc\nd\ne\n");
  });

  it("is not waited for when a child of the command holds its output open", async () => {
    const bench = await createSandboxBench({ image });
    expect(await bench.run("sleep 300 & echo left", { timeoutMs: 60_000 })).toMatchObject({
      stdout: "left\n",
      exitCode: 0,
      timedOut: false,
    });
    expect(await bench.run("(sleep 0.6; echo late) & echo early; wait")).toMatchObject({ stdout: "early\nlate\n" });
  });

  it("is thrown away when it cannot be cleared, and the command's end stands", async () => {
    const bench = await createSandboxBench({ image });
    await bench.run("true");
    const [first] = await ids(bench);
    const shut = await bench.run("mkdir /tmp/shut; touch /tmp/shut/x; chmod 0 /tmp/shut; echo shut; exit 3");
    expect(shut).toMatchObject({ exitCode: 3, stdout: "shut\n" });
    expect(await bench.run("ls -A /tmp")).toMatchObject({ stdout: "" });
    expect(await ids(bench)).not.toContain(first);
  });

  it("ends a swarm that fills the process table", async () => {
    const bench = await createSandboxBench({ image, limits: { pids: 16 } });
    const swarm =
      "for i in {1..40}; do setsid -f sleep 300; done 2>/dev/null; echo made; sleep 300 2>/dev/null || :; sleep 300";
    const outcome = await bench.run(swarm, { timeoutMs: 2000 });
    expect(outcome.kind).toBe("finished");
    expect((await bench.run("cat /proc/[0-9]*/comm")).stdout).toBe("bash\ncat\n");
  });

  it("takes the engine's own words for it whether a process has run", async () => {
    const bench = await createSandboxBench({ image });
    expect(await bench.run("echo 'OCI runtime exec failed: exec failed'; exit 126")).toMatchObject({
      exitCode: 126,
      stdout: "OCI runtime exec failed: exec failed\n",
    });
  });

  it("says what a folder that cannot be entered is to bash", async () => {
    const bench = await createSandboxBench({ image });
    expect(await bench.run("true", { cwd: "./none" })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/none/) as string,
    });
    await bench.run("chmod 000 .");
    expect(await bench.run("true")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/workspace/) as string,
    });
  });

  it("ends with the gateway's stream, and is replaced when it was paused or removed", async () => {
    const proxy = await openEngineProxy();
    const bench = await createSandboxBench({ image, docker: new Docker({ socketPath: proxy.socketPath }) });
    await bench.run("true");
    const [first] = await ids(bench);
    proxy.die();
    const left = () => requireDocker().listContainers({ all: true, filters: { id: [first ?? ""] } });
    await expect.poll(left, { timeout: 15_000 }).toEqual([]);
    proxy.recover();
    await writeFile(join(bench.workspace, "file"), "kept");
    expect((await bench.run("cat file")).stdout).toBe("kept");
    const [second] = await ids(bench);
    await requireDocker()
      .getContainer(second ?? "")
      .pause();
    expect((await bench.run("cat file; echo > made")).stdout).toBe("kept");
    expect(await readFile(join(bench.workspace, "made"), "utf8")).toBe("\n");
    await expect.poll(() => ids(bench), { timeout: 10_000 }).not.toContain(second);
  });
});
