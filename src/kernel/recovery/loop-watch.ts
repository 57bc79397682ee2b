/** The state of the event loop's heartbeat. Times are in milliseconds. */
export type LoopState =
  | { readonly kind: "beating" }
  /** Reported once per stall, when it has lasted `stallMs`. */
  | { readonly kind: "stalled"; readonly forMs: number; readonly busy: boolean }
  | { readonly kind: "still stalled"; readonly forMs: number }
  | { readonly kind: "came back"; readonly forMs: number };

export interface LoopLook {
  /** From a monotonic clock. */
  readonly now: number;
  /** Increases while the loop turns. */
  readonly beat: number;
  /** The process's CPU time so far, in milliseconds. */
  readonly computed: number;
}

/** Below this share of CPU time, the process is waiting for the machine. On a crowded machine it may get no more. */
const busyShare = 0.05;

/**
 * `everyMs` is the interval of observations. Time in which the watch itself stood still (the machine slept) does not
 * count.
 */
export function createLoopWatch(first: LoopLook, limits: { readonly everyMs: number; readonly stallMs: number }) {
  let last = first;
  let since = first.now;
  let computedBefore = first.computed;
  let isReported = false;

  return function look(seen: LoopLook): LoopState {
    const late = seen.now - last.now - limits.everyMs;
    if (late > limits.everyMs) since += late;
    const moved = seen.beat !== last.beat;
    last = seen;
    const forMs = Math.max(0, seen.now - since);
    if (moved) {
      const wasReported = isReported;
      since = seen.now;
      computedBefore = seen.computed;
      isReported = false;
      return wasReported ? { kind: "came back", forMs } : { kind: "beating" };
    }
    if (forMs < limits.stallMs) return { kind: "beating" };
    if (isReported) return { kind: "still stalled", forMs };
    isReported = true;
    return { kind: "stalled", forMs, busy: seen.computed - computedBefore >= forMs * busyShare };
  };
}
