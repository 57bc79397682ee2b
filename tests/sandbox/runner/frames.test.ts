// quick: reads and writes no container
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeRun, parseFrame, protocolVersion } from "../../../src/sandbox/runner/frames.ts";
import type { RunRequest, RunnerFrame } from "../../../src/sandbox/runner/frames.ts";
import { createAttachReader, createFrameReader } from "../../../src/sandbox/runner/read-frames.ts";
import type { AttachPiece, PieceReader } from "../../../src/sandbox/runner/read-frames.ts";

function frame(type: number, run: number, body: Uint8Array): Buffer {
  const header = Buffer.alloc(9);
  header.writeUInt32BE(body.length, 0);
  header.writeUInt8(type, 4);
  header.writeUInt32BE(run, 5);
  return Buffer.concat([header, body]);
}

function wrap(stream: number, body: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(stream, 0);
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

function readInPieces<Thing>(read: PieceReader<Thing>, wire: Buffer, cuts: readonly number[]): Thing[] | undefined {
  const things: Thing[] = [];
  for (let position = 0, turn = 0; position < wire.length; turn += 1) {
    const next = position + (cuts[turn % cuts.length] ?? 1);
    const part = read(wire.subarray(position, next));
    if (part === undefined) return undefined;
    things.push(...part);
    position = next;
  }
  return things;
}

const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
const run = fc.integer({ min: 0, max: 0xffffffff });
const bytes = fc.uint8Array({ maxLength: 60 });
const fixed = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const anyFrame = fc.oneof(
  fc.tuple(fc.constantFrom(131, 132, 136), run, bytes),
  fc.tuple(fc.constant(130), run, fixed(0)),
  fc.tuple(fc.constant(133), run, fixed(4)),
  fc.tuple(fc.constant(134), run, fixed(15)),
  fc.tuple(fc.constant(135), run, fc.uint8Array({ minLength: 1, maxLength: 40 })),
);

describe("frames of the runner", () => {
  it("the reader returns the same frames wherever the stream is cut", () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { maxLength: 12 }), cuts, (parts, cuts) => {
        const wire = Buffer.concat(parts.map(([type, run, body]) => frame(type, run, body)));
        const expected = parts.map(([type, run, body]) => parseFrame(type, run, Buffer.from(body)));
        expect(readInPieces<RunnerFrame>(createFrameReader(), wire, cuts)).toEqual(expected);
      }),
    );
  });

  it("come out of the engine's stream wherever that is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(1, 2), bytes), { maxLength: 12 }), cuts, (parts, cuts) => {
        const wire = Buffer.concat(parts.map(([stream, body]) => wrap(stream, body)));
        const pieces = readInPieces<AttachPiece>(createAttachReader(), wire, cuts) ?? [];
        const expected = parts.map(([stream, body]) => ({
          stream: stream === 2 ? "stderr" : "stdout",
          bytes: Buffer.from(body),
        }));
        expect(pieces).toEqual(expected);
      }),
    );
  });

  it("survive garbage: nothing throws, and what follows it is not read", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), cuts, (garbage, cuts) => {
        readInPieces(createFrameReader(), Buffer.from(garbage), cuts);
        readInPieces(createAttachReader(), Buffer.from(garbage), cuts);
      }),
    );
    const rows: [string, Buffer][] = [
      ["unknown type", frame(128, 1, Buffer.alloc(0))],
      ["type of the other side", frame(1, 1, Buffer.alloc(0))],
      ["too large", Buffer.from([0, 1, 0, 0, 131, 0, 0, 0, 1])],
      ["short exit", frame(134, 1, Buffer.alloc(14))],
      ["long credit", frame(133, 1, Buffer.alloc(5))],
      ["hello of another program", frame(129, 0, Buffer.from("docker-init\0\0\0\0\0\0\0\0\0"))],
    ];
    for (const [name, wire] of rows) {
      const read = createFrameReader();
      expect({ name, read: [read(wire), read(frame(130, 1, Buffer.alloc(0)))] }).toEqual({
        name,
        read: [undefined, undefined],
      });
    }
    expect(createAttachReader()(Buffer.from([3, 0, 0, 0, 0, 0, 0, 0]))).toBeUndefined();
    expect(createAttachReader()(Buffer.from([1, 0, 1, 0, 0, 0, 0, 0]))).toBeUndefined();
  });

  it("counts the end of a command as a shell does", () => {
    const exit = (...bytes: number[]) =>
      parseFrame(134, 7, Buffer.from([...bytes, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 5, 220]));
    const usual = { kind: "exit", run: 7, timedOut: false, truncated: false, killed: false, durationMs: 1.5 };
    expect(exit(0, 3, 0)).toEqual({ ...usual, exitCode: 3 });
    expect(exit(1, 15, 8)).toEqual({ ...usual, exitCode: 143, memoryKills: 2 });
    expect(exit(1, 9, 7)).toEqual({ ...usual, exitCode: 137, timedOut: true, truncated: true, killed: true });
  });
});

describe("the version of the protocol", () => {
  it("the version is the same in the runner, on the image and on the page", () => {
    const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
    expect(read("src/sandbox/runner/protocol.h")).toContain(`PROTOCOL_VERSION = ${protocolVersion},`);
    expect(read("src/sandbox/runner/protocol.md")).toContain(`version ${protocolVersion}\n`);
    expect(read("Dockerfile.sandbox")).toContain(`kurisu.runner=${protocolVersion} `);
  });
});

describe("the frame that asks for a command", () => {
  const usual: RunRequest = {
    timeLimitMs: 1000,
    outputBytes: 1000,
    hasStdin: false,
    fresh: false,
    cwd: ".",
    program: "/bin/bash",
    arguments: ["bash"],
    environment: ["A=b"],
  };
  const text = fc.string({ unit: "binary", maxLength: 30 });

  it("holds exactly as many strings as it says, or is none", () => {
    fc.assert(
      fc.property(
        text,
        fc.array(text, { minLength: 1, maxLength: 5 }),
        fc.array(text, { maxLength: 5 }),
        (cwd, argv, env) => {
          const encoded = encodeRun(1, { ...usual, cwd, arguments: argv, environment: env });
          const hasNul = [cwd, ...argv, ...env].some((one) => one.includes("\0"));
          expect(encoded === undefined).toBe(hasNul);
          if (encoded === undefined) return;
          expect(encoded.readUInt32BE(0)).toBe(encoded.length - 9);
          expect(encoded.subarray(22).filter((byte) => byte === 0)).toHaveLength(2 + argv.length + env.length);
        },
      ),
    );
  });

  it("encodeRun refuses a command that is too long, and bounds its numbers", () => {
    expect(encodeRun(1, { ...usual, arguments: [] })).toBeUndefined();
    expect(encodeRun(1, { ...usual, arguments: Array<string>(513).fill("") })).toBeUndefined();
    expect(encodeRun(1, { ...usual, cwd: "x".repeat(256 * 1024) })).toBeUndefined();
    const odd = encodeRun(1, { ...usual, timeLimitMs: 0.2, outputBytes: 1e12 });
    expect(odd?.readUInt32BE(9)).toBe(1);
    expect(odd?.readUInt32BE(13)).toBe(0xffffffff);
  });
});
