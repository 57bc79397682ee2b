import { describe, expect, it } from "vitest";
import { openTestRunner, runnerIsThere } from "../../support/runner-container.ts";

describe.runIf(await runnerIsThere())("the runner, attacked by what it runs", () => {
  it("the runner ignores the signals of its commands", async () => {
    const { run } = await openTestRunner();
    const all =
      "for s in $(seq 1 64); do kill -$s 1; done 2>/dev/null; kill -9 -1; kill -STOP 1; kill -9 1; echo alive";
    expect(await run(all)).toMatchObject({ stdout: "alive\n", exitCode: 0 });
    expect(await run("for i in {1..5000}; do kill -CHLD 1; done; echo alive")).toMatchObject({ stdout: "alive\n" });
    expect(await run("echo next")).toMatchObject({ stdout: "next\n" });
  });

  it("keeps its memory, descriptors and environment to itself", async () => {
    const { run } = await openTestRunner();
    const { stdout } = await run(
      "for name in mem fd fdinfo environ maps smaps auxv root cwd exe io map_files ns/pid fd/0 fd/1 stack syscall; do " +
        "if [ -L /proc/1/$name ]; then readlink /proc/1/$name; elif [ -d /proc/1/$name ]; then ls /proc/1/$name; else head -c 1 /proc/1/$name; fi 2>/dev/null >/dev/null && echo open: $name; done; " +
        "for name in fd/0 fd/1 mem oom_score_adj clear_refs autogroup comm; do { echo 1 > /proc/1/$name; } 2>/dev/null && echo writable: $name; done; " +
        "ls -A /proc/1/root/ 2>/dev/null; cd /proc/1/cwd 2>/dev/null && echo entered; echo done",
    );
    expect(stdout).toBe("done\n");
  });

  it("keeps its limits, priority and processors, which its user could set otherwise", async () => {
    const { run } = await openTestRunner();
    const attack =
      "prlimit --pid 1 --cpu=0 && echo limited; prlimit --pid 1 --nproc=1:1 && echo limited; prlimit --pid 1 --fsize=0 && echo limited; " +
      "renice -n 19 -p 1 && echo slowed; renice -n 19 -u $(id -u) && echo slowed; renice -n 19 -g 1 && echo slowed; " +
      "taskset -p 1 1 >/dev/null && echo pinned; chrt --idle -p 0 1 && echo idle; echo done";
    expect(await run(attack)).toMatchObject({ stdout: "done\n" });
    expect(await run("nice; ulimit -f; ulimit -t; taskset -p $$ | wc -l")).toMatchObject({
      stdout: expect.stringMatching(/^0\n\d+\nunlimited\n1\n$/),
    });
    expect(
      await run(
        "renice -n 5 -p $$ >/dev/null && nice; prlimit --nofile=100 bash -c 'ulimit -n'; ulimit -n 50; ulimit -n; taskset 1 true && echo pinned",
      ),
    ).toMatchObject({
      stdout: "5\n100\n50\npinned\n",
    });
  });

  it("the runner's commands cannot write its frames", async () => {
    const { run } = await openTestRunner();
    // exit 0, hello and started, as the runner would write them.
    const forged = "\\0\\0\\0\\017\\206\\0\\0\\0\\001\\0\\0\\010\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\001";
    const outcome = await run(
      `for to in /dev/stdout /dev/stderr /proc/1/fd/1 /proc/$PPID/fd/1 /dev/console /dev/tty; do printf '${forged}' > $to; done 2>/dev/null; exit 3`,
    );
    expect(outcome.exitCode).toBe(3);
    expect(outcome.stdout).toHaveLength(24);
    expect(await run("echo next")).toMatchObject({ stdout: "next\n" });
  });

  it("a command gains no rights from the runner", async () => {
    const { run } = await openTestRunner();
    const { stdout } = await run(
      "grep -E 'Cap|NoNewPrivs|Seccomp:' /proc/self/status | tr -d '\\t'; stat -c '%a %u %g' /usr/local/bin/kurisu-runner; command -v gcc cc; /usr/local/bin/kurisu-runner; echo $?",
    );
    expect(stdout).toMatch(/CapEff:0000000000000000/);
    expect(stdout).toMatch(/NoNewPrivs:1\nSeccomp:2\n/);
    expect(stdout.split("\n").slice(-3)).toEqual(["555 0 0", "71", ""]);
  });
});
