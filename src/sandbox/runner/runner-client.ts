import type { Duplex } from "node:stream";
import { raceAbort } from "../../core/abort.ts";
import { encodeKill, encodePing, encodeRun, protocolVersion } from "./frames.ts";
import type { RunnerFrame } from "./frames.ts";
import { createAttachReader, createFrameReader } from "./read-frames.ts";
import { createRunningCommand } from "./running-command.ts";
import type { RunnerCommand, RunnerOutcome, RunningCommand } from "./running-command.ts";
import { watchRunner } from "./watch-runner.ts";
import type { RunnerLimits, RunnerWatch } from "./watch-runner.ts";

type RunnerState = { readonly kind: "ready" } | { readonly kind: "lost"; readonly reason: string };

/** The runner in one container. No method throws. */
export interface RunnerClient {
  /** Whether it can be used, as soon as that is known. */
  readonly opened: Promise<RunnerState>;
  /** The current state; a lost runner stays lost. */
  state(): RunnerState | { readonly kind: "opening" };
  /** Runs one command at a time and refuses a second one. A command that is sent before the runner is ready waits. */
  run(command: RunnerCommand): Promise<RunnerOutcome>;
  /** Closes the stream, upon which the runner kills all processes and the container ends. */
  close(): void;
}

interface Current {
  readonly run: number;
  readonly work: RunningCommand;
  readonly watch: RunnerWatch;
  readonly end: (outcome: RunnerOutcome) => void;
}

const defaultLimits: RunnerLimits = { hello: 60_000, grace: 2_000, ping: 5_000, pong: 10_000 };

/**
 * Speaks to the runner over the attach stream of a container with `OpenStdin`, `StdinOnce` and no Tty, which was attached to
 * (hijacked, all three streams) before it was started.
 */
export function createRunnerClient(parts: {
  readonly stream: Duplex;
  readonly limits?: Partial<RunnerLimits>;
}): RunnerClient {
  const { stream } = parts;
  const limits = { ...defaultLimits, ...parts.limits };
  const readAttach = createAttachReader();
  const readFrames = createFrameReader();
  const opened = Promise.withResolvers<RunnerState>();
  const helloTimer = setTimeout(() => lose("it did not report itself in time"), limits.hello);
  let state: ReturnType<RunnerClient["state"]> = { kind: "opening" };
  let current: Current | undefined;
  let stdinWindow = 0;
  let lastRun = 0;
  let received = 0;
  let complaint = "";

  function enter(next: RunnerState): void {
    clearTimeout(helloTimer);
    state = next;
    opened.resolve(next);
  }

  function lose(problem: string): void {
    if (state.kind === "lost") return;
    const details = complaint === "" ? "" : ` (${complaint.trim()})`;
    const lost = { kind: "lost", reason: `The runner in the container is lost: ${problem}${details}.` } as const;
    enter(lost);
    stream.destroy();
    current?.end({ ...lost, started: true });
  }

  function send(frame: Buffer): void {
    if (state.kind === "ready") stream.write(frame);
  }

  function takeHello(frame: RunnerFrame): void {
    if (frame.kind !== "hello") return lose("it does not begin as a runner does");
    const { version } = frame;
    if (version !== protocolVersion) {
      return lose(`it speaks version ${version} of the protocol, not ${protocolVersion}; build the image again`);
    }
    stdinWindow = frame.stdinWindow;
    enter({ kind: "ready" });
  }

  function takeFrame(frame: RunnerFrame): void {
    if (state.kind === "lost") return;
    if (state.kind === "opening") return takeHello(frame);
    if (frame.kind === "pong") return current?.watch.notePong();
    const isCurrent = frame.kind !== "hello" && frame.run === current?.run;
    const outcome = isCurrent ? current?.work.take(frame) : "broken";
    if (outcome === "broken") return lose("it sent what no runner sends");
    if (outcome !== undefined) current?.end(outcome);
  }

  function takePiece(piece: Buffer): void {
    received += piece.length;
    const attached = readAttach(piece);
    if (attached === undefined) return lose("the engine's stream is garbled");
    for (const { stream: name, bytes } of attached) {
      if (name === "stderr") complaint = (complaint + bytes.toString("utf8")).slice(0, 500);
      const frames = name === "stderr" ? [] : readFrames(bytes);
      if (frames === undefined) return lose("it sent what is no frame");
      for (const frame of frames) takeFrame(frame);
    }
  }

  async function run(command: RunnerCommand): Promise<RunnerOutcome> {
    const { signal } = command;
    if (state.kind === "opening" && !signal.aborted) await raceAbort(opened.promise, signal).catch(() => undefined);
    if (signal.aborted || state.kind === "opening") return { kind: "stopped", started: false };
    if (state.kind === "lost") return { ...state, started: false };
    if (current !== undefined) return { kind: "refused", reason: "Another command is at work in this container." };
    const frame = encodeRun(lastRun + 1, describeRun(command));
    if (frame === undefined) return { kind: "refused", reason: "The command is too long, or holds a NUL character." };
    lastRun += 1;
    return await follow(lastRun, command, frame);
  }

  async function follow(run: number, command: RunnerCommand, frame: Buffer): Promise<RunnerOutcome> {
    const { promise, resolve: end } = Promise.withResolvers<RunnerOutcome>();
    const work = createRunningCommand({ run, command, stdinWindow, send });
    const watch = watchRunner({ limits, sendPing: () => send(encodePing()), countReceived: () => received, lose });
    current = {
      run,
      work,
      watch,
      end(outcome) {
        current = undefined;
        end(outcome);
      },
    };
    const abort = (): void => {
      send(encodeKill(run));
      watch.expectEnd(limits.grace);
    };
    command.signal.addEventListener("abort", abort, { once: true });
    watch.expectEnd(command.timeoutMs + limits.grace);
    send(frame);
    work.sendStdin();
    try {
      return await promise;
    } finally {
      watch.stop();
      command.signal.removeEventListener("abort", abort);
    }
  }

  stream.on("data", takePiece);
  stream.on("end", () => lose("the container has ended, or the engine"));
  stream.on("close", () => lose("the stream to it was closed"));
  stream.on("error", (error) => lose(`the stream to it broke: ${error.message}`));
  return { opened: opened.promise, state: () => state, run, close: () => lose("it was let go") };
}

/** As a one-shot container runs it. */
function describeRun(command: RunnerCommand): Parameters<typeof encodeRun>[1] {
  return {
    timeLimitMs: command.timeoutMs,
    outputBytes: command.outputBytes,
    hasStdin: command.stdin !== undefined,
    fresh: command.fresh === true,
    cwd: command.cwd,
    program: "/bin/bash",
    arguments: ["bash", "--noprofile", "--norc", "-c", "--", command.command],
    environment: command.environment,
  };
}
