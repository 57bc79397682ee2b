import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestRunner, runnerIsThere } from "../../support/runner-container.ts";

const times = process.env["KURISU_TEST_FULL"] === "1" ? 1000 : 200;

describe.runIf(await runnerIsThere())("a command in the runner", () => {
  it("ends as bash says it ends", async () => {
    const { run } = await openTestRunner();
    expect(await run("true")).toMatchObject({ exitCode: 0, timedOut: false, truncated: false, outOfMemory: false });
    expect(await run("false")).toMatchObject({ exitCode: 1 });
    expect(await run("exit 255")).toMatchObject({ exitCode: 255 });
    expect(await run("nosuchcommand")).toMatchObject({
      exitCode: 127,
      stderr: "bash: line 1: nosuchcommand: command not found\n",
    });
    expect(await run("/etc/passwd")).toMatchObject({ exitCode: 126 });
    for (const number of [9, 11, 13, 15])
      expect(await run(`kill -${number} $$`)).toMatchObject({ exitCode: 128 + number, timedOut: false });
    expect(await run("printf x; kill -STOP $$", { timeoutMs: 1500 })).toMatchObject({ stdout: "x", timedOut: true });
    expect(await run("")).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("a command has the folder and the environment that it is given, and no other", async () => {
    const { run, workspace } = await openTestRunner();
    await mkdir(join(workspace, "sub/deep"), { recursive: true });
    expect(await run("pwd", { cwd: "./sub/deep" })).toMatchObject({ stdout: "/workspace/sub/deep\n" });
    expect(await run("pwd")).toMatchObject({ stdout: "/workspace\n" });
    expect(await run("echo never", { cwd: "./nowhere" })).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: "bash: line 1: cd: ./nowhere: No such file or directory\n",
    });
    const { stdout } = await run("env; umask; ulimit -n", {
      environment: ["PATH=/usr/bin", "A=1=2\n3"],
    });
    expect(stdout).toMatch(/^A=1=2\n3$/m);
    expect(stdout).toMatch(/^0022\n1024$/m);
    expect(stdout).not.toMatch(/HOME|LANG|HOSTNAME/);
    expect(await run("echo again $A")).toMatchObject({ stdout: "again\n" });
  });

  it("gives its output byte for byte, each stream apart", async () => {
    const { run } = await openTestRunner();
    const { stdout, stderr } = await run("printf '\\xff\\x00\\xfe研'; printf 'e\\x00r' >&2");
    expect(stdout).toBe("\uFFFD\0\uFFFD研");
    expect(stderr).toBe("e\0r");
    const seen: string[] = [];
    const long = await run("for i in {1..20000}; do echo 研究室 $i; done", {
      onOutput: (part) => seen.push(part.text),
    });
    expect(long.stdout).toBe(Array.from({ length: 20_000 }, (_, index) => `研究室 ${index + 1}\n`).join(""));
    expect(seen.join("")).toBe(long.stdout);
    const sum = await run("head -c 900000 /dev/urandom | tee copy | sha256sum; cat copy | base64 -w0");
    const [hash, rest] = sum.stdout.split("  -\n");
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(sum.truncated).toBe(true);
    expect(Buffer.byteLength(`${hash}  -\n${rest}`)).toBe(1024 * 1024);
  });

  it("reads its standard input exactly, and nothing when there is none", async () => {
    const { run, workspace } = await openTestRunner();
    const stdin = randomBytes(5 * 1024 * 1024 + 7);
    expect(await run("cat > file", { stdin })).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await readFile(join(workspace, "file"))).equals(stdin)).toBe(true);
    expect(await run("wc -c", { stdin: new Uint8Array() })).toMatchObject({ stdout: "0\n" });
    expect(await run("cat; readlink /proc/self/fd/0")).toMatchObject({ stdout: "/dev/null\n" });
    expect(await run("head -c 3; exit 4", { stdin: Buffer.from("abcdef") })).toMatchObject({
      stdout: "abc",
      exitCode: 4,
    });
  });

  it("a command need not read its standard input", async () => {
    const { run } = await openTestRunner();
    const stdin = randomBytes(1024 * 1024);
    expect(await run("echo deaf", { stdin })).toMatchObject({ stdout: "deaf\n", exitCode: 0 });
    expect(await run("exec <&-; sleep 0.3; echo closed", { stdin })).toMatchObject({ stdout: "closed\n" });
    expect(await run("sleep 60", { stdin, timeoutMs: 300 })).toMatchObject({ timedOut: true });
    expect(await run("cat", { stdin: Buffer.from("next") })).toMatchObject({ stdout: "next" });
  });

  it("holds nothing of the runner, and finds a process namespace that is empty", async () => {
    const { run } = await openTestRunner();
    const { stdout } = await run(
      "for fd in /proc/self/fd/*; do echo ${fd##*/} $(readlink $fd); done; echo /proc/[0-9]*",
    );
    const lines = stdout.split("\n");
    expect(lines.filter((line) => /^\d+ (?!\/proc)/.test(line)).map((line) => line.replace(/\d+\]/, "]"))).toEqual([
      "0 /dev/null",
      "1 pipe:[]",
      "2 pipe:[]",
    ]);
    const processes = lines.find((line) => line.startsWith("/proc/")) ?? "";
    expect(processes.split(" ")).toHaveLength(2);
  });

  it("keeps /tmp until it is asked to be fresh, and then empties it, however deep", async () => {
    const { run } = await openTestRunner();
    await run("echo kept > /tmp/file; echo kept > /dev/shm/file");
    expect(await run("cat /tmp/file /dev/shm/file")).toMatchObject({ stdout: "kept\nkept\n" });
    const mess =
      "cd /tmp; mkdir -p .kurisu-3/x closed/inside; touch .kurisu-1 closed/inside/file '-rf' $'new\\nline'; chmod 000 closed/inside closed; " +
      'ln -s /workspace link; mkfifo fifo; perl -e \'for (1 .. 3000) { mkdir "d" and chdir "d" or die; open F, ">", "file" or die }\'; echo deep';
    await run("echo safe > safe; mkdir outside; echo safe > outside/safe; ln -s /workspace/outside /tmp/outside");
    expect(await run(mess)).toMatchObject({ stdout: "deep\n" });
    const fresh = await run("ls -A /tmp /dev/shm /dev/mqueue; cat safe outside/safe", { fresh: true });
    expect(fresh).toMatchObject({ stdout: "/dev/mqueue:\n\n/dev/shm:\n\n/tmp:\nsafe\nsafe\n", exitCode: 0 });
  });

  it("runs hundreds of times in a row and leaves neither process nor descriptor behind", async () => {
    const { run } = await openTestRunner();
    const measure = async () => {
      const { stdout } = await run("grep -E 'FDSize|VmRSS' /proc/1/status; all=(/proc/[0-9]*); echo ${#all[@]}");
      return {
        table: /FDSize:\s*(\d+)/.exec(stdout)?.[1],
        rss: Number(/VmRSS:\s*(\d+)/.exec(stdout)?.[1]),
        processes: stdout.split("\n")[2],
      };
    };
    const before = await measure();
    for (let number = 0; number < times; number += 1)
      expect(await run(`echo ${number}; (sleep 9 &) ; exit ${number % 100}`)).toMatchObject({
        stdout: `${number}\n`,
        exitCode: number % 100,
      });
    const after = await measure();
    expect(after).toMatchObject({ table: before.table, processes: before.processes });
    expect(after.rss).toBeLessThan(before.rss + 512);
  });

  it("waits its turn: a second one is refused and the first one is not disturbed", async () => {
    const { run, start } = await openTestRunner();
    const first = run("sleep 0.5; echo first");
    expect(await start("echo second")).toMatchObject({ kind: "refused" });
    expect(await first).toMatchObject({ stdout: "first\n" });
    expect(await run("echo third")).toMatchObject({ stdout: "third\n" });
  });

  it("says why it could not begin", async () => {
    const { run, start, workspace } = await openTestRunner();
    expect(await start("x".repeat(200_000))).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/too long/),
    });
    expect(await start("x".repeat(300_000))).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/too long/),
    });
    expect(await start("echo \0")).toMatchObject({ kind: "refused", reason: expect.stringMatching(/NUL/) });
    await writeFile(join(workspace, "file"), "");
    expect(await run("echo", { cwd: "file" })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/Not a directory/),
    });
    expect(await run("echo here")).toMatchObject({ stdout: "here\n" });
  });
});
