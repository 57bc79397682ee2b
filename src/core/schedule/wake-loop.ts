import { type Alarm, createAlarm } from "./alarm.ts";

/** Runs a check repeatedly: when it is rung, and when the wait that the last check asked for has passed. */
export interface WakeLoop {
  /** Looks now, and from then on by itself. Resolves when a look that began after this call has finished. */
  ring(): Promise<void>;
  /** Stops looking, and waits for a look that is running. */
  stop(): Promise<void>;
}

/** Runs a single look at a time. The loop keeps no process alive. */
export function createWakeLoop(parts: {
  /** Returns the maximum milliseconds until the next look. Must not throw: that ends the loop. */
  readonly look: (stopping: AbortSignal) => Promise<number>;
  /** For callers that ring without holding the loop. */
  readonly alarm?: Pick<Alarm, "ring" | "wait">;
}): WakeLoop {
  const { alarm = createAlarm(), look } = parts;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  /** Resolves with the next look to begin. */
  let next = Promise.withResolvers<void>();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { resolve } = next;
      next = Promise.withResolvers();
      const waitMs = await look(stopping.signal);
      resolve();
      await alarm.wait(waitMs, stopping.signal);
    }
    next.resolve();
  }

  return {
    ring() {
      const { promise } = next;
      if (running === undefined) running = run();
      else alarm.ring();
      return promise;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
