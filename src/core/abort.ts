import { setTimeout as wait } from "node:timers/promises";

/**
 * Waits, but not once the signal has fired. Answers whether the time went by. With `ref: false` the waiting alone keeps
 * no process alive.
 */
export async function sleep(
  milliseconds: number,
  signal?: AbortSignal,
  { ref = true }: { readonly ref?: boolean } = {},
): Promise<boolean> {
  try {
    await wait(milliseconds, undefined, { ref, ...(signal && { signal }) });
    return true;
  } catch (error) {
    if (signal?.aborted === true) return false;
    throw error;
  }
}

/** The result of the work, or the signal's reason as a rejection as soon as it fires. The work itself goes on. */
export async function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const fire = (): void => reject(signal.reason as Error);
  if (signal.aborted) fire();
  signal.addEventListener("abort", fire, { once: true });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", fire);
  }
}
