import { setTimeout as sleep } from "node:timers/promises";

/** Waits, but not once the signal fires. */
export async function waitUnlessStopped(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
