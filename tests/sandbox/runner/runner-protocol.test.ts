import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { encodeKill, encodePing, encodeRun, encodeStdin, encodeStdinEnd } from "../../../src/sandbox/runner/frames.ts";
import type { RunRequest, RunnerFrame } from "../../../src/sandbox/runner/frames.ts";
import { createAttachReader, createFrameReader } from "../../../src/sandbox/runner/read-frames.ts";
import { requireDocker } from "../../support/docker.ts";
import { runnerIsThere, startRunnerContainer, waitForRunnerEnd } from "../../support/runner-container.ts";
import type { RawRunner } from "../../support/runner-container.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { sandboxImage } from "../../support/test-sandbox.ts";

const full = process.env["KURISU_TEST_FULL"] === "1";

function ask(command: string, more: Partial<RunRequest> = {}): RunRequest {
  const shell = ["bash", "-c", command];
  const usual = {
    timeLimitMs: 10_000,
    outputBytes: 1e6,
    hasStdin: false,
    fresh: false,
    cwd: ".",
    program: "/bin/bash",
  };
  return { ...usual, arguments: shell, environment: ["PATH=/usr/bin:/bin"], ...more };
}

function encode(run: number, request: RunRequest): Buffer {
  const frame = encodeRun(run, request);
  if (frame === undefined) throw new Error("no frame");
  return frame;
}

/** Frames as they come; nothing is read while nobody asks. */
async function* readFrames(stream: RawRunner["stream"]): AsyncGenerator<RunnerFrame, void> {
  const attach = createAttachReader();
  const frames = createFrameReader();
  for await (const piece of stream as AsyncIterable<Buffer>)
    for (const { stream: name, bytes } of attach(piece) ?? []) if (name === "stdout") yield* frames(bytes) ?? [];
}

async function readUntil(frames: AsyncGenerator<RunnerFrame, void>, kind: RunnerFrame["kind"]): Promise<RunnerFrame[]> {
  const seen: RunnerFrame[] = [];
  for (;;) {
    const { value, done } = await frames.next();
    if (done === true || value === undefined) throw new Error(`ended before ${kind}`);
    seen.push(value);
    if (value.kind === kind) return seen;
  }
}

const raw = (type: number, run: number, body: number[] | Uint8Array, length = body.length): Buffer => {
  const header = Buffer.alloc(9);
  header.writeUInt32BE(length, 0);
  header.writeUInt8(type, 4);
  header.writeUInt32BE(run, 5);
  return Buffer.concat([header, Uint8Array.from(body)]);
};

/**
 * The exit codes of runners that each read one of these: many short lives as PID 1 of a namespace each, which takes a right
 * that no sandbox has. The container is the test's own.
 */
async function liveShortLives(inputs: readonly Buffer[]): Promise<readonly number[]> {
  const folder = await createTemporaryFolder();
  await mkdir(join(folder, "inputs"));
  await Promise.all(
    inputs.map((input, index) => writeFile(join(folder, "inputs", String(index).padStart(5, "0")), input)),
  );
  const loop =
    "cd /inputs; for f in *; do timeout 20 unshare -pif setpriv --reuid 1000 --regid 1000 --clear-groups kurisu-runner < $f > /dev/null 2>&1; echo $?; done";
  const container = await requireDocker().createContainer({
    Image: sandboxImage,
    Entrypoint: ["bash", "-c", loop],
    Cmd: [],
    User: "0:0",
    Tty: false,
    Labels: { "kurisu.test": "runner" },
    HostConfig: {
      NetworkMode: "none",
      CapAdd: ["SYS_ADMIN"],
      IpcMode: "private",
      Tmpfs: { "/workspace": "" },
      PidsLimit: 200,
      Mounts: [{ Type: "bind", Source: join(folder, "inputs"), Target: "/inputs", ReadOnly: true }],
    },
  });
  onTestFinished(async () => {
    await container.remove({ force: true });
  });
  const stream = await container.attach({ stream: true, stdout: true, stderr: true });
  const read = createAttachReader();
  let said = "";
  stream.on("data", (piece: Buffer) => {
    for (const { bytes } of read(piece) ?? []) said += bytes.toString("utf8");
  });
  await container.start();
  await once(stream, "end");
  return said.trim().split("\n").map(Number);
}

describe.runIf(await runnerIsThere())("the runner's protocol", () => {
  const violations: [string, Buffer][] = [
    ["garbage", Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n")],
    ["an unknown type", raw(9, 1, [])],
    ["a type of the other side", raw(129, 0, [])],
    ["an oversized frame", raw(1, 1, [], 0xffffffff)],
    ["a frame one byte too large", raw(1, 1, [], 256 * 1024 + 1)],
    ["a run frame that is too short", raw(1, 1, [0, 0, 0, 1])],
    [
      "a NUL inside a string",
      raw(
        1,
        1,
        encode(1, ask("echo x\u0001y"))
          .subarray(9)
          .map((byte) => (byte === 1 ? 0 : byte)),
      ),
    ],
    [
      "no time limit",
      Buffer.concat([encode(1, ask("x")).subarray(0, 9), Buffer.alloc(4), encode(1, ask("x")).subarray(13)]),
    ],
    ["run 0", encode(0, ask("echo x"))],
    ["the same run twice", Buffer.concat([encode(1, ask("echo x")), encode(1, ask("echo x"))])],
    ["stdin for a run to come", raw(2, 1, [1])],
    [
      "more stdin than the window",
      Buffer.concat([encode(1, ask("sleep 9", { hasStdin: true })), encodeStdin(1, Buffer.alloc(200_000))]),
    ],
    [
      "stdin after its end",
      Buffer.concat([
        encode(1, ask("sleep 9", { hasStdin: true })),
        encodeStdinEnd(1),
        encodeStdin(1, Buffer.alloc(1)),
      ]),
    ],
    ["a long ping", raw(5, 0, Buffer.alloc(9))],
  ];

  it("the runner as PID 1 of a container ends with its own code when a client breaks the protocol", async () => {
    const { container, stream } = await startRunnerContainer();
    stream.resume();
    stream.write(violations[0]?.[1]);
    expect(await waitForRunnerEnd(container)).toBe(64);
  });

  it("ends with a code of its own at every breach of the protocol", async () => {
    const ends = await liveShortLives(violations.map(([, bytes]) => bytes));
    expect(violations.map(([name], index) => [name, ends[index]])).toEqual(violations.map(([name]) => [name, 64]));
  });

  it("says who it is first, refuses a second command, forgets frames that are late, and answers in order", async () => {
    const { stream } = await startRunnerContainer();
    const frames = readFrames(stream);
    expect(await readUntil(frames, "hello")).toEqual([{ kind: "hello", version: 1, stdinWindow: 65_536 }]);
    // Cut at every byte.
    for (const byte of Buffer.concat([encode(3, ask("echo one; sleep 0.2")), encode(5, ask("echo two"))]))
      stream.write(Buffer.from([byte]));
    const seen = await readUntil(frames, "exit");
    expect(seen.map(({ kind }) => kind).sort()).toEqual(["exit", "output", "refused", "started"]);
    expect(seen.find(({ kind }) => kind === "refused")).toMatchObject({ run: 5, reason: "busy" });
    stream.write(
      Buffer.concat([
        encodeKill(3),
        encodeStdin(3, Buffer.from("late")),
        encodeStdinEnd(5),
        encodeKill(5),
        encodePing(),
      ]),
    );
    expect(await readUntil(frames, "pong")).toEqual([{ kind: "pong" }]);
    stream.write(encode(6, ask("echo three")));
    expect((await readUntil(frames, "exit")).at(-1)).toMatchObject({ run: 6, exitCode: 0 });
    stream.write(encode(7, ask("x", { program: "/nonexistent" })));
    expect(await readUntil(frames, "refused")).toEqual([
      { kind: "refused", run: 7, reason: "program", text: "No such file or directory" },
    ]);
  });

  it("the runner keeps the time limit and obeys a kill although its output is not read", async () => {
    const { stream, workspace } = await startRunnerContainer();
    const frames = readFrames(stream);
    await readUntil(frames, "hello");
    const flood = "yes $(seq 1000) & while :; do sleep 0.05; date +%s%N > beat; done";
    const beat = () => readFile(join(workspace, "beat"), "utf8").catch(() => "");
    /** Nothing is read here meanwhile, so all buffers on the way are full long before. */
    const waitForSilence = async () => {
      await expect.poll(beat).not.toBe("");
      const isSilent = async () => {
        const before = await beat();
        await new Promise((resolve) => setTimeout(resolve, 500));
        return before === (await beat());
      };
      await expect.poll(isSilent).toBe(true);
      await rm(join(workspace, "beat"));
    };
    stream.write(encode(1, ask(flood, { timeLimitMs: 2000, outputBytes: 100_000_000 })));
    await waitForSilence();
    stream.write(Buffer.concat(Array.from({ length: 50 }, () => encodePing())));
    const first = await readUntil(frames, "exit");
    expect(first.at(-1)).toMatchObject({ timedOut: true, exitCode: 137 });
    expect(first.filter(({ kind }) => kind === "pong")).toHaveLength(50);
    stream.write(encode(2, ask(flood, { timeLimitMs: 60_000, outputBytes: 100_000_000 })));
    await expect.poll(beat).not.toBe("");
    stream.write(encodeKill(2));
    await waitForSilence();
    expect((await readUntil(frames, "exit")).at(-1)).toMatchObject({ killed: true, exitCode: 137 });
  });

  it("ends with the container when its standard input ends, in the middle of a frame too", async () => {
    const { stream, container } = await startRunnerContainer();
    stream.resume();
    stream.write(
      Buffer.concat([encode(1, ask("trap '' TERM; sleep 300")), encode(2, ask("echo cut")).subarray(0, 20)]),
    );
    stream.end();
    expect(await waitForRunnerEnd(container)).toBe(0);
  });

  it("survives any broken stream: it answers or ends as it should, and never crashes", async () => {
    const inputs = fc.sample(brokenStream, { numRuns: full ? 1500 : 120, seed: 1 });
    const ends = await liveShortLives(inputs);
    expect(ends).toHaveLength(inputs.length);
    expect(ends.filter((code) => code !== 0 && code !== 64)).toEqual([]);
  });
});

/** Frames that are right, with bytes changed, cut out, put in, or nothing but noise. */
const rightFrames = fc.array(
  fc.oneof(
    fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom("echo hi", "cat", "exit 3"), fc.boolean())
      .map(([run, command, hasStdin]) => encode(run, ask(command, { hasStdin, timeLimitMs: 50 }))),
    fc
      .tuple(fc.integer({ min: 0, max: 4 }), fc.uint8Array({ maxLength: 200 }))
      .map(([run, bytes]) => encodeStdin(run, bytes)),
    fc.integer({ min: 0, max: 4 }).map(encodeStdinEnd),
    fc.integer({ min: 0, max: 4 }).map(encodeKill),
    fc.constant(encodePing()),
  ),
  { minLength: 1, maxLength: 8 },
);
const damage = fc.array(
  fc.tuple(fc.nat(), fc.nat({ max: 255 }), fc.constantFrom("change", "remove", "insert", "cut")),
  { maxLength: 4 },
);
const brokenStream = fc.oneof(
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 4,
    arbitrary: fc.tuple(rightFrames, damage).map(([frames, damage]) => {
      const bytes = Array.from(Buffer.concat(frames));
      for (const [place, byte, how] of damage) {
        const at = place % Math.max(1, bytes.length);
        if (how === "change") bytes[at] = byte;
        else if (how === "cut") bytes.length = at;
        else bytes.splice(at, how === "remove" ? byte % 8 : 0, ...(how === "insert" ? [byte] : []));
      }
      return Buffer.from(bytes);
    }),
  },
);
