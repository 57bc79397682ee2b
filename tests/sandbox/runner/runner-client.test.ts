// quick: reads and writes no container
import { describe, expect, it, onTestFinished } from "vitest";
import { createRunnerClient } from "../../../src/sandbox/runner/runner-client.ts";
import type { RunnerCommand } from "../../../src/sandbox/runner/running-command.ts";
import type { RunnerLimits } from "../../../src/sandbox/runner/watch-runner.ts";
import { createScriptedRunner } from "../../support/scripted-runner.ts";

const types = { run: 1, stdin: 2, stdinEnd: 3, kill: 4, ping: 5 };
const says = { started: 130, stdout: 131, stderr: 132, taken: 133, exit: 134, refused: 135, pong: 136 };
const exitedWell = Uint8Array.from([0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 232]);
const killed = Uint8Array.from([1, 9, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 232]);
const usual: RunnerCommand = {
  command: "x",
  cwd: ".",
  timeoutMs: 60_000,
  environment: [],
  outputBytes: 10,
  signal: new AbortController().signal,
};

function open(limits: Partial<RunnerLimits> = {}) {
  const runner = createScriptedRunner();
  const client = createRunnerClient({ stream: runner.stream, limits });
  onTestFinished(() => client.close());
  return { runner, client };
}

async function openReady(limits: Partial<RunnerLimits> = {}) {
  const { runner, client } = open(limits);
  runner.hello();
  expect(await client.opened).toEqual({ kind: "ready" });
  return { runner, client };
}

describe("the client of a runner", () => {
  it("waits for the hello before it asks, and gives the outcome", async () => {
    const { runner, client } = open();
    expect(client.state()).toEqual({ kind: "opening" });
    const seen: string[] = [];
    const outcome = client.run({ ...usual, onOutput: (part) => seen.push(`${part.stream} ${part.text}`) });
    expect(runner.received).toEqual([]);
    runner.hello();
    await expect.poll(() => runner.received).toEqual([types.run]);
    runner.send(says.started, 1);
    const letters = Buffer.from("研究");
    runner.send(says.stdout, 1, letters.subarray(0, 4));
    runner.send(says.stderr, 1, "w");
    runner.send(says.stdout, 1, letters.subarray(4));
    runner.send(says.exit, 1, exitedWell);
    expect(await outcome).toEqual({
      kind: "finished",
      exitCode: 0,
      stdout: "研究",
      stderr: "w",
      timedOut: false,
      truncated: false,
      outOfMemory: false,
      durationMs: 1,
    });
    expect(seen).toEqual(["stdout 研", "stderr w", "stdout 究"]);
    expect(client.state()).toEqual({ kind: "ready" });
  });

  it("sends no more standard input than the window, and more as it is taken", async () => {
    const { runner, client } = await openReady();
    const outcome = client.run({ ...usual, stdin: new Uint8Array(65_536 + 5) });
    await expect.poll(() => runner.received).toEqual([types.run, types.stdin]);
    runner.send(says.taken, 1, Uint8Array.from([0, 0, 0, 3]));
    await expect.poll(() => runner.received).toEqual([types.run, types.stdin, types.stdin]);
    runner.send(says.taken, 1, Uint8Array.from([0, 1, 0, 0]));
    await expect.poll(() => runner.received.slice(3)).toEqual([types.stdin, types.stdinEnd]);
    runner.send(says.exit, 1, exitedWell);
    expect(await outcome).toMatchObject({ kind: "finished" });
  });

  it("tells a command that was killed for the signal from one that ended first", async () => {
    const { runner, client } = await openReady();
    const stop = new AbortController();
    const first = client.run({ ...usual, signal: stop.signal });
    stop.abort();
    await expect.poll(() => runner.received).toEqual([types.run, types.kill]);
    runner.send(says.exit, 1, exitedWell);
    expect(await first).toMatchObject({ kind: "finished", exitCode: 0 });
    const again = new AbortController();
    const second = client.run({ ...usual, signal: again.signal });
    again.abort();
    runner.send(says.exit, 2, killed);
    expect(await second).toEqual({ kind: "stopped", started: true });
  });

  it("stops waiting for the hello at the signal", async () => {
    const { runner, client } = open();
    const stop = new AbortController();
    const outcome = client.run({ ...usual, signal: stop.signal });
    stop.abort();
    expect(await outcome).toEqual({ kind: "stopped", started: false });
    runner.hello();
    expect(await client.opened).toEqual({ kind: "ready" });
    expect(runner.received).toEqual([]);
  });

  type Runner = ReturnType<typeof createScriptedRunner>;
  const beginnings: [string, (runner: Runner) => void, RegExp][] = [
    ["another version", (runner) => runner.hello(2), /version 2 .* build the image again/],
    ["another program", (runner) => runner.sendRaw(Buffer.from("bash: no such file\n")), /garbled/],
    ["no hello first", (runner) => runner.send(says.started, 1), /does not begin/],
    ["silence", () => undefined, /in time/],
    [
      "an end with a reason",
      (runner) => (runner.complain("exec failed\n"), runner.end()),
      /has ended.* \(exec failed\)/,
    ],
    ["a break", (runner) => runner.break(new Error("reset")), /reset/],
  ];

  it.each(beginnings)("cannot be used after %s", async (_, begin, reason) => {
    const { runner, client } = open({ hello: 200 });
    const waiting = client.run(usual);
    begin(runner);
    expect(await client.opened).toEqual({ kind: "lost", reason: expect.stringMatching(reason) });
    expect(await waiting).toMatchObject({ kind: "lost", started: false });
    expect(await client.run(usual)).toMatchObject({ kind: "lost", started: false });
    expect(runner.stream.destroyed).toBe(true);
  });

  const faults: [string, (runner: Runner) => void, RegExp][] = [
    ["a frame of another run", (runner) => runner.send(says.stdout, 2, "x"), /no runner sends/],
    ["an end of another run", (runner) => runner.send(says.exit, 2, exitedWell), /no runner sends/],
    ["a second hello", (runner) => runner.hello(), /no runner sends/],
    ["more output than the limit", (runner) => runner.send(says.stdout, 1, "12345678901"), /no runner sends/],
    [
      "more taken than was sent",
      (runner) => runner.send(says.taken, 1, Uint8Array.from([0, 0, 0, 1])),
      /no runner sends/,
    ],
    ["what is no frame", (runner) => runner.send(77, 1), /no frame/],
    ["the end of the stream", (runner) => runner.end(), /has ended/],
    ["silence at the time limit", () => undefined, /in time/],
  ];

  it.each(faults)("the client loses its runner by %s, and the command may have run", async (_, send, reason) => {
    const { runner, client } = await openReady({ grace: 100 });
    const outcome = client.run({ ...usual, timeoutMs: 100 });
    runner.send(says.started, 1);
    send(runner);
    expect(await outcome).toEqual({ kind: "lost", started: true, reason: expect.stringMatching(reason) });
    expect(client.state().kind).toBe("lost");
  });

  it("the client pings a runner whose command is running", async () => {
    const { runner, client } = await openReady({ ping: 20, pong: 500 });
    const outcome = client.run(usual);
    for (let turn = 1; turn <= 3; turn += 1) {
      await expect.poll(() => runner.received.filter((type) => type === types.ping)).toHaveLength(turn);
      runner.send(says.pong, 0);
    }
    expect(await outcome).toMatchObject({ kind: "lost", started: true, reason: expect.stringMatching(/answer/) });
  });

  it("the client counts the runner as lost when a kill is not obeyed", async () => {
    const { client } = await openReady({ grace: 50 });
    const stop = new AbortController();
    const outcome = client.run({ ...usual, signal: stop.signal });
    stop.abort();
    expect(await outcome).toMatchObject({ kind: "lost", started: true });
  });

  it("takes a refusal for what it is", async () => {
    const { runner, client } = await openReady();
    const first = client.run({ ...usual, cwd: "./gone" });
    expect(await client.run(usual)).toMatchObject({ kind: "refused", reason: expect.stringMatching(/Another/) });
    runner.send(says.refused, 1, "\x02No such file or directory");
    expect(await first).toMatchObject({ exitCode: 1, stderr: "bash: line 1: cd: ./gone: No such file or directory\n" });
    const second = client.run(usual);
    runner.send(says.refused, 2, "\x04Resource temporarily unavailable");
    expect(await second).toMatchObject({ kind: "refused", reason: expect.stringMatching(/temporarily unavailable/) });
  });
});
