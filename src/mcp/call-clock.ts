/** How long a call may take; it does not count while a person is asked something. */
export interface CallClock {
  /** Aborts when the time is over, and with the signal it was made for. */
  readonly signal: AbortSignal;
  /** The time is over, as a sentence; undefined = it is not. */
  expired(): string | undefined;
  /** The server works: the limit of one step begins anew. */
  touch(): void;
  pause(): void;
  resume(): void;
  release(): void;
}

/** However often a server reports progress, a call ends after so many of its limits, but has at least ten minutes. */
const mostSteps = 10;
const leastTotal = 600_000;

/** The most that a call can take without the waiting for people. */
export function limitOfCall(stepMs: number): number {
  return Math.max(leastTotal, stepMs * mostSteps);
}

export function createCallClock(stepMs: number, outer: AbortSignal): CallClock {
  const own = new AbortController();
  const total = limitOfCall(stepMs);
  const begun = performance.now();
  let waited = 0;
  let pausedAt: number | undefined;
  let reason: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  function set(): void {
    clearTimeout(timer);
    if (pausedAt !== undefined || own.signal.aborted) return;
    const left = total - (performance.now() - begun - waited);
    timer = setTimeout(
      () => {
        reason = left < stepMs ? `took longer than ${total / 1000} s in all` : `gave no answer for ${stepMs / 1000} s`;
        own.abort(reason);
      },
      Math.max(1, Math.min(stepMs, left)),
    );
  }
  set();
  return {
    signal: AbortSignal.any([outer, own.signal]),
    expired: () => reason,
    touch: set,
    pause() {
      pausedAt ??= performance.now();
      clearTimeout(timer);
    },
    resume() {
      if (pausedAt === undefined) return;
      waited += performance.now() - pausedAt;
      pausedAt = undefined;
      set();
    },
    release: () => clearTimeout(timer),
  };
}
