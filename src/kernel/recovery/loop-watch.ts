/** The findings of a look at the event loop's heartbeat. Times in milliseconds. */
export type LoopState =
  | { readonly kind: "beating" }
  /** Said once for each stall, when it has lasted `stallMs`. */
  | { readonly kind: "stalled"; readonly forMs: number; readonly busy: boolean }
  | { readonly kind: "still stalled"; readonly forMs: number }
  | { readonly kind: "came back"; readonly forMs: number };

export interface LoopLook {
  /** By a clock that does not jump. */
  readonly now: number;
  /** Goes up while the loop goes round. */
  readonly beat: number;
  /** The process's computing time so far, milliseconds of a processor. */
  readonly computed: number;
}

/** A process that computes less than this share of the time waits for the machine; among many others it gets no more. */
const busyShare = 0.05;

/** `everyMs` = how often it is looked. Time in which the watch itself stood still (the machine slept) is not counted. */
export function createLoopWatch(first: LoopLook, limits: { readonly everyMs: number; readonly stallMs: number }) {
  let last = first;
  let since = first.now;
  let computedBefore = first.computed;
  let told = false;

  return function look(seen: LoopLook): LoopState {
    const late = seen.now - last.now - limits.everyMs;
    if (late > limits.everyMs) since += late;
    const moved = seen.beat !== last.beat;
    last = seen;
    const forMs = Math.max(0, seen.now - since);
    if (moved) {
      const wasTold = told;
      since = seen.now;
      computedBefore = seen.computed;
      told = false;
      return wasTold ? { kind: "came back", forMs } : { kind: "beating" };
    }
    if (forMs < limits.stallMs) return { kind: "beating" };
    if (told) return { kind: "still stalled", forMs };
    told = true;
    return { kind: "stalled", forMs, busy: seen.computed - computedBefore >= forMs * busyShare };
  };
}
