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
 * the stream itself does not react; its source is asked to stop either way. An answer has many pieces: all of them share
 * one race and, as far as possible, one timer.
 */
export async function readInTime<Piece>({ open, limits, signal, take }: TimedReading<Piece>): Promise<void> {
  const stop = new AbortController();
  const cut = Promise.withResolvers<never>();
  const started = performance.now();
  let standing = "waiting" as Standing;
  let limit = nextLimit();
  let timer: { readonly handle: NodeJS.Timeout; readonly at: number } | undefined;

  signal.throwIfAborted();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([read(), cut.promise]);
  } catch (error) {
    signal.throwIfAborted();
    // The answer was whole; only its tail (token counts, the closing mark) got lost.
    if (standing !== "ended") throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(timer?.handle);
    endSource();
  }

  async function read(): Promise<void> {
    keepLimit();
    const pieces = (await open(stop.signal))[Symbol.asyncIterator]();
    // A piece that comes after the cut is not taken.
    while (!stop.signal.aborted) {
      keepLimit();
      const { done, value } = await pieces.next();
      if (done === true || stop.signal.aborted) return;
      standing = take(value);
    }
  }

  function onAbort(): void {
    cut.reject(signal.reason);
    stop.abort(signal.reason);
  }

  /** A reason of our own: the default one is an error with a stack that no code reads. */
  function endSource(): void {
    stop.abort("read to its end");
  }

  /** Each piece moves the deadline. The timer keeps running, and is restarted only when it would fire too late. */
  function keepLimit(): void {
    limit = nextLimit();
    if (timer === undefined || limit.at < timer.at) setTimer();
  }

  function setTimer(): void {
    clearTimeout(timer?.handle);
    const { at } = limit;
    timer = { at, handle: setTimeout(onTime, Math.max(0, at - performance.now())) };
  }

  function onTime(): void {
    if (performance.now() < limit.at) return setTimer();
    cut.reject(new ModelTooSlow(limit.words));
    endSource();
  }

  function nextLimit(): Limit {
    const total = { at: started + limits.totalMs, words: `no whole answer in ${limits.totalMs} ms` };
    const wait = limitOf(standing);
    return wait.at <= total.at ? wait : total;
  }

  function limitOf(current: Standing): Limit {
    switch (current) {
      case "waiting":
        return { at: started + limits.firstTokenMs, words: `no first word in ${limits.firstTokenMs} ms` };
      case "begun":
        return {
          at: performance.now() + limits.idleMs,
          words: `silent for ${limits.idleMs} ms in the middle of the answer`,
        };
      case "ended":
        return { at: performance.now() + afterEndMs, words: "the stream stays open after its end" };
    }
  }
}

interface Limit {
  /** performance.now() then. */
  readonly at: number;
  readonly words: string;
}
