import { type Alarm, createAlarm } from "./alarm.ts";

/** Looks at something again and again: when it is rung, and by itself when the time of the last look is over. */
export interface WakeLoop {
  /** Looks now, and from then on by itself. Resolves when a look that began after this call is over. */
  ring(): Promise<void>;
  /** Looks no more, and waits until the look that has begun is over. */
  stop(): Promise<void>;
}

/** One look at a time. The loop keeps no process alive. */
export function createWakeLoop(parts: {
  /** Answers in how many milliseconds to look again at the latest. Never throws: the loop would end. */
  readonly look: (stopping: AbortSignal) => Promise<number>;
  /** Of those who ring without knowing the loop. */
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
