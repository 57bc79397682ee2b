import { PassThrough } from "node:stream";
import type Docker from "dockerode";
import type { Logger } from "pino";
import { attachStream } from "./attach-stream.ts";
import { callLimits, createContainer, removeContainer } from "./container-calls.ts";
import { createAttachReader } from "./runner/read-frames.ts";
import type { Semaphore } from "../core/semaphore.ts";
import type { OpenProgram } from "./types.ts";

/** Milliseconds it gets to end after its input has. */
const politeMs = 1_000;

/** Throws the engine's errors; then no container is left. */
export async function openProgram(parts: {
  readonly docker: Docker;
  readonly spec: Docker.ContainerCreateOptions;
  /** Content digest that the image must have; absent means any. */
  readonly image?: string | undefined;
  readonly starts: Semaphore;
  readonly signal: AbortSignal;
  readonly onErrorOutput: (text: string) => void;
  readonly log: Pick<Logger, "warn">;
}): Promise<OpenProgram> {
  const { docker, spec, image, signal, log } = parts;
  const release = await parts.starts.acquire(signal);
  let container: Docker.Container | undefined;
  try {
    signal.throwIfAborted();
    container = await createContainer(docker, spec, { image, log });
    const made = container;
    const stream = await attachStream(docker, made.id);
    const output = new PassThrough();
    const read = createAttachReader();
    /** A program that writes faster than it is read waits, and its output does not fill our memory. */
    const writeOrPause = (bytes: Buffer): void => {
      if (output.write(bytes) || stream.isPaused()) return;
      stream.pause();
      output.once("drain", () => stream.resume());
    };
    stream.on("data", (piece: Buffer) => {
      const found = read(piece);
      if (found === undefined) return void stream.destroy();
      for (const one of found) {
        if (one.stream === "stdout") writeOrPause(one.bytes);
        else parts.onErrorOutput(one.bytes.toString("utf8"));
      }
    });
    const gone = Promise.withResolvers<string>();
    // The engine removes a container that has ended, so how it ended cannot be asked.
    for (const event of ["end", "close", "error"]) stream.on(event, () => gone.resolve("its container ended"));
    await made.start({ abortSignal: AbortSignal.timeout(callLimits.start) });
    const ended = gone.promise.then(async (how) => {
      output.end();
      stream.destroy();
      await removeContainer(made, log);
      return how;
    });
    return {
      input: stream,
      output,
      ended,
      async close() {
        stream.end();
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, politeMs);
        await Promise.race([ended, promise]);
        clearTimeout(timer);
        gone.resolve("it was closed");
        await ended;
      },
    };
  } catch (error) {
    if (container !== undefined) await removeContainer(container, log);
    throw error;
  } finally {
    release?.();
  }
}
