import { sleep } from "../abort.ts";

/** Wakes the one who waits for the next due time: a time may have come that is earlier than was known. */
export interface Alarm {
  ring(): void;
  /**
   * Until it rings (true), or the time has passed, or the signal fires. A ring while no caller waits ends the next wait
   * at once.
   */
  wait(milliseconds: number, signal: AbortSignal): Promise<boolean>;
}

export function createAlarm(): Alarm {
  let bell = new AbortController();
  return {
    ring: () => bell.abort(),
    async wait(milliseconds, signal) {
      await sleep(milliseconds, AbortSignal.any([bell.signal, signal]), { ref: false });
      const rang = bell.signal.aborted;
      bell = new AbortController();
      return rang;
    },
  };
}
