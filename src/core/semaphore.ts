/** At most `size` holders at a time; the others wait in order. */
export interface Semaphore {
  /** Answers the function that gives the place back, or undefined when the signal fired first. */
  acquire(signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** When the size shrinks, current holders keep their places. */
export function createSemaphore(given: number | (() => number)): Semaphore {
  const size = typeof given === "number" ? () => given : given;
  const waiting: (() => void)[] = [];
  let held = 0;

  function release(): void {
    held -= 1;
    admit();
  }

  function admit(): void {
    while (held < size() && waiting.length > 0) waiting.shift()?.();
  }

  function take(): () => void {
    held += 1;
    let given = false;
    return () => {
      if (!given) release();
      given = true;
    };
  }

  function acquire(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    admit();
    if (held < size()) return Promise.resolve(take());
    return new Promise((resolve) => {
      const grant = (): void => {
        signal.removeEventListener("abort", leave);
        resolve(take());
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(grant), 1);
        resolve(undefined);
      };
      waiting.push(grant);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  return { acquire };
}
