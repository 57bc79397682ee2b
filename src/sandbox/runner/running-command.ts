import { StringDecoder } from "node:string_decoder";
import { encodeStdin, encodeStdinEnd } from "./frames.ts";
import type { ExitFrame, RunnerFrame } from "./frames.ts";

/** A command for a runner. */
export interface RunnerCommand {
  /** For `bash -c`; no NUL. */
  readonly command: string;
  /** Relative to the workspace. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Output as it comes, decoded. */
  readonly onOutput?: (part: { readonly stream: "stdout" | "stderr"; readonly text: string }) => void;
  /** Standard output as it comes, byte for byte. */
  readonly onStdout?: (piece: Buffer) => void;
  /** Absent means /dev/null. */
  readonly stdin?: Uint8Array;
  /** `NAME=value`: the whole environment of the command. */
  readonly environment: readonly string[];
  /** Cap per stream. */
  readonly outputBytes: number;
  /** Empty the temporary folders first. */
  readonly fresh?: boolean;
}

export type RunnerOutcome =
  | {
      readonly kind: "finished";
      /** As bash reports it; 137 when it was killed at the time limit or the output cap. */
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
      readonly timedOut: boolean;
      readonly truncated: boolean;
      readonly outOfMemory: boolean;
      /** From its start to the end of its main process, by the container's clock. */
      readonly durationMs: number;
    }
  /** The signal fired. `started` = the command may have run in part. */
  | { readonly kind: "stopped"; readonly started: boolean }
  /** The command has not run, and the container is as it was. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The runner or the way to it is gone, and the container with it: replace it. `started` = the command may have run. */
  | { readonly kind: "lost"; readonly reason: string; readonly started: boolean };

/** The output of a command so far. */
export interface RunningCommand {
  /** Takes a frame of this run. Returns the outcome once it has ended, "broken" for a frame that no runner may send. */
  take(frame: RunnerFrame): RunnerOutcome | "broken" | undefined;
  /** Sends as much standard input as the runner has room for. */
  sendStdin(): void;
}

export function createRunningCommand(parts: {
  readonly run: number;
  readonly command: RunnerCommand;
  readonly stdinWindow: number;
  readonly send: (frame: Buffer) => void;
}): RunningCommand {
  const { run, command, send } = parts;
  const { onOutput } = command;
  const streams = {
    stdout: { pieces: [] as Buffer[], bytes: 0, decoder: new StringDecoder("utf8") },
    stderr: { pieces: [] as Buffer[], bytes: 0, decoder: new StringDecoder("utf8") },
  };
  let stdin = command.stdin;
  let window = parts.stdinWindow;

  function sendStdin(): void {
    if (stdin === undefined) return;
    const part = stdin.subarray(0, window);
    if (part.length > 0) send(encodeStdin(run, part));
    window -= part.length;
    stdin = stdin.subarray(part.length);
    if (stdin.length > 0) return;
    send(encodeStdinEnd(run));
    stdin = undefined;
  }

  function keep(name: "stdout" | "stderr", bytes: Buffer): boolean {
    const stream = streams[name];
    stream.bytes += bytes.length;
    if (stream.bytes > command.outputBytes) return false;
    stream.pieces.push(bytes);
    if (name === "stdout") command.onStdout?.(bytes);
    if (onOutput === undefined) return true;
    const text = stream.decoder.write(bytes);
    if (text !== "") onOutput({ stream: name, text });
    return true;
  }

  // Decoded once at the end: a character that two frames share stays whole, what is no UTF-8 becomes U+FFFD.
  const read = (name: "stdout" | "stderr"): string => Buffer.concat(streams[name].pieces).toString("utf8");

  function finish(frame: ExitFrame): RunnerOutcome {
    if (frame.killed) return { kind: "stopped", started: true };
    const { exitCode, timedOut, truncated, durationMs } = frame;
    const outOfMemory = (frame.memoryKills ?? 0) > 0;
    return {
      kind: "finished",
      exitCode,
      stdout: read("stdout"),
      stderr: read("stderr"),
      timedOut,
      truncated,
      outOfMemory,
      durationMs,
    };
  }

  /** A missing folder is the command's own mistake, and is reported as bash would. */
  function refuse(reason: string, text: string): RunnerOutcome {
    if (reason !== "folder")
      return { kind: "refused", reason: `The command could not be started in the container (${text}).` };
    const stderr = `bash: line 1: cd: ${command.cwd}: ${text}\n`;
    const ended = { timedOut: false, truncated: false, outOfMemory: false, durationMs: 0 };
    return { kind: "finished", exitCode: 1, stdout: "", stderr, ...ended };
  }

  function take(frame: RunnerFrame): RunnerOutcome | "broken" | undefined {
    switch (frame.kind) {
      case "started":
        return undefined;
      case "output":
        return keep(frame.stream, frame.bytes) ? undefined : "broken";
      case "taken":
        window += frame.bytes;
        if (window > parts.stdinWindow) return "broken";
        sendStdin();
        return undefined;
      case "exit":
        return finish(frame);
      case "refused":
        return refuse(frame.reason, frame.text);
      case "hello":
      case "pong":
        return "broken";
    }
  }

  return { take, sendStdin };
}
