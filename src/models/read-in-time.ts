import { raceAbort } from "../core/abort.ts";
import { ModelTooSlow } from "./classify-failure.ts";

export interface TimeLimits {
  /** From the request to the first piece that carries something. */
  readonly firstTokenMs: number;
  /** Between two pieces. */
  readonly idleMs: number;
  /** The whole answer. */
  readonly totalMs: number;
}

/** The state of the answer after a piece. ended = the server has said why it stopped. */
type Standing = "waiting" | "begun" | "ended";

export interface TimedReading<Piece> {
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<Piece>>;
  readonly limits: TimeLimits;
  readonly signal: AbortSignal;
  readonly take: (piece: Piece) => Standing;
}

/** After its end an answer gets this long to bring the token counts. */
const afterEndMs = 2_000;

/**
 * Reads a stream to its end. Throws ModelTooSlow at a limit and the signal's reason at once when it fires, also when
 * the stream itself does not react; its source is asked to stop either way.
 */
export async function readInTime<Piece>({ open, limits, signal, take }: TimedReading<Piece>): Promise<void> {
  const stop = new AbortController();
  const started = performance.now();
  let standing: Standing = "waiting";

  try {
    signal.throwIfAborted();
    const stream = await waitFor(open(AbortSignal.any([signal, stop.signal])), nextLimit(), signal);
    const pieces = stream[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await waitFor(pieces.next(), nextLimit(), signal);
      if (done === true) return;
      standing = take(value);
    }
  } catch (error) {
    signal.throwIfAborted();
    // The answer was whole; only its tail (token counts, the closing mark) got lost.
    if (standing !== "ended") throw error;
  } finally {
    // A reason of our own: the default one is an error with a stack that no code reads.
    stop.abort("read to its end");
  }

  function nextLimit(): Limit {
    const spent = performance.now() - started;
    const total = { afterMs: limits.totalMs - spent, words: `no whole answer in ${limits.totalMs} ms` };
    const wait = limitOf(standing, spent);
    return wait.afterMs <= total.afterMs ? wait : total;
  }

  function limitOf(current: Standing, spent: number): Limit {
    switch (current) {
      case "waiting":
        return { afterMs: limits.firstTokenMs - spent, words: `no first word in ${limits.firstTokenMs} ms` };
      case "begun":
        return { afterMs: limits.idleMs, words: `silent for ${limits.idleMs} ms in the middle of the answer` };
      case "ended":
        return { afterMs: afterEndMs, words: "the stream stays open after its end" };
    }
  }
}

interface Limit {
  readonly afterMs: number;
  readonly words: string;
}

async function waitFor<Result>(work: Promise<Result>, limit: Limit, signal: AbortSignal): Promise<Result> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new ModelTooSlow(limit.words)), Math.max(0, limit.afterMs));
  try {
    return await raceAbort(raceAbort(work, late.signal), signal);
  } finally {
    clearTimeout(timer);
  }
}
