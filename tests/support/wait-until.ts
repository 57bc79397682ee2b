import { setTimeout as pause } from "node:timers/promises";

/** Looks again and again until it is so; throws after `timeoutMs`. */
export async function waitUntil(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  timeoutMs = 45_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${timeoutMs} ms`);
    await pause(20);
  }
}
