// The frames of protocol.md, one at a time. `read-frames.ts` takes a stream apart into them.

export const protocolVersion = 1;
export const headerBytes = 9;
/** Largest body towards the runner, and largest one that it sends. */
export const bodyLimits = { toRunner: 256 * 1024, fromRunner: 32 * 1024 };

const magic = "kurisu-runner\0";
const runFlags = { stdin: 1, fresh: 2 };
const exitFlags = { timedOut: 1, truncated: 2, killed: 4, memoryKnown: 8 };
const refusals = ["unknown", "busy", "folder", "program", "resources", "fresh"] as const;

/** The content of a run frame. No string may hold NUL. */
export interface RunRequest {
  /** Milliseconds, at least 1. */
  readonly timeLimitMs: number;
  /** Per stream. */
  readonly outputBytes: number;
  readonly hasStdin: boolean;
  /** Empty /tmp, /dev/shm and /dev/mqueue first. */
  readonly fresh: boolean;
  /** Relative to /workspace. */
  readonly cwd: string;
  /** Absolute path. */
  readonly program: string;
  /** The first one is the program's name for itself. */
  readonly arguments: readonly string[];
  /** `NAME=value`, and there are no others. */
  readonly environment: readonly string[];
}

export interface ExitFrame {
  readonly kind: "exit";
  readonly run: number;
  /** As a shell counts: 128 + signal for a process that a signal ended. */
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly truncated: boolean;
  /** By the frame kill. */
  readonly killed: boolean;
  /** Processes that the kernel killed for want of memory; absent where it cannot be counted. */
  readonly memoryKills?: number;
  readonly durationMs: number;
}

export type RunnerFrame =
  | { readonly kind: "hello"; readonly version: number; readonly stdinWindow: number }
  | { readonly kind: "started"; readonly run: number }
  | { readonly kind: "output"; readonly run: number; readonly stream: "stdout" | "stderr"; readonly bytes: Buffer }
  | { readonly kind: "taken"; readonly run: number; readonly bytes: number }
  | ExitFrame
  | {
      readonly kind: "refused";
      readonly run: number;
      readonly reason: (typeof refusals)[number];
      readonly text: string;
    }
  | { readonly kind: "pong" };

function encode(type: number, run: number, body: Uint8Array): Buffer {
  const frame = Buffer.alloc(headerBytes + body.length);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt8(type, 4);
  frame.writeUInt32BE(run, 5);
  frame.set(body, headerBytes);
  return frame;
}

const nothing = new Uint8Array();

/** Undefined when it cannot be put into a frame: NUL in a string, too long, too many strings. */
export function encodeRun(run: number, request: RunRequest): Buffer | undefined {
  const strings = [request.cwd, request.program, ...request.arguments, ...request.environment];
  if (strings.some((text) => text.includes("\0"))) return undefined;
  if (request.arguments.length === 0 || Math.max(request.arguments.length, request.environment.length) > 512)
    return undefined;
  const numbers = Buffer.alloc(13);
  numbers.writeUInt32BE(Math.min(0xffffffff, Math.max(1, Math.ceil(request.timeLimitMs))), 0);
  numbers.writeUInt32BE(Math.min(0xffffffff, Math.max(0, Math.floor(request.outputBytes))), 4);
  numbers.writeUInt8((request.hasStdin ? runFlags.stdin : 0) | (request.fresh ? runFlags.fresh : 0), 8);
  numbers.writeUInt16BE(request.arguments.length, 9);
  numbers.writeUInt16BE(request.environment.length, 11);
  const body = Buffer.concat([numbers, Buffer.from(strings.map((text) => `${text}\0`).join(""))]);
  return body.length > bodyLimits.toRunner ? undefined : encode(1, run, body);
}

export const encodeStdin = (run: number, bytes: Uint8Array): Buffer => encode(2, run, bytes);
export const encodeStdinEnd = (run: number): Buffer => encode(3, run, nothing);
export const encodeKill = (run: number): Buffer => encode(4, run, nothing);
export const encodePing = (): Buffer => encode(5, 0, nothing);

/** Undefined for a malformed frame. `body` is kept, not copied. */
export function parseFrame(type: number, run: number, body: Buffer): RunnerFrame | undefined {
  switch (type) {
    case 129:
      if (body.length !== 20 || body.toString("latin1", 0, 14) !== magic) return undefined;
      return { kind: "hello", version: body.readUInt16BE(14), stdinWindow: body.readUInt32BE(16) };
    case 130:
      return body.length === 0 ? { kind: "started", run } : undefined;
    case 131:
    case 132:
      return { kind: "output", run, stream: type === 131 ? "stdout" : "stderr", bytes: body };
    case 133:
      return body.length === 4 ? { kind: "taken", run, bytes: body.readUInt32BE(0) } : undefined;
    case 134:
      return body.length === 15 ? parseExit(run, body) : undefined;
    case 135:
      if (body.length === 0) return undefined;
      return { kind: "refused", run, reason: refusals[body.readUInt8(0)] ?? "unknown", text: body.toString("utf8", 1) };
    case 136:
      return { kind: "pong" };
    default:
      return undefined;
  }
}

function parseExit(run: number, body: Buffer): ExitFrame {
  const number = body.readUInt8(1);
  const flags = body.readUInt8(2);
  return {
    kind: "exit",
    run,
    exitCode: body.readUInt8(0) === 1 ? 128 + number : number,
    timedOut: (flags & exitFlags.timedOut) !== 0,
    truncated: (flags & exitFlags.truncated) !== 0,
    killed: (flags & exitFlags.killed) !== 0,
    ...((flags & exitFlags.memoryKnown) === 0 ? {} : { memoryKills: body.readUInt32BE(3) }),
    durationMs: Number(body.readBigUInt64BE(7)) / 1000,
  };
}
