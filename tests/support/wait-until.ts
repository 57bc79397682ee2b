import { setTimeout as pause } from "node:timers/promises";
import { patienceMs } from "./patience.ts";

/** Looks again and again until it is so, less often the longer it takes; throws after `timeoutMs`. */
export async function waitUntil(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  timeoutMs = patienceMs,
): Promise<void> {
  const began = performance.now();
  while (!(await isSo())) {
    const waited = performance.now() - began;
    if (waited > timeoutMs) throw new Error(`${what} did not come within ${timeoutMs} ms`);
    // Looking costs what the program that is waited for would need.
    await pause(Math.min(200, 20 + waited / 20));
  }
}
