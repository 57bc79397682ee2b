import { setTimeout as sleep } from "node:timers/promises";

/** Waits, or returns at once when the signal aborts. Answers whether the time went by. */
export async function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
