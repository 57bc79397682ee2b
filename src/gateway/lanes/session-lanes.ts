import { AsyncLocalStorage } from "node:async_hooks";
import { sleep } from "../../core/abort.ts";

/** Why a job is aborted: for good, or only until the next start. */
export class JobAborted extends Error {
  readonly kind: "stop" | "shutdown";

  constructor(kind: "stop" | "shutdown") {
    super(kind === "stop" ? "stopped" : "shutting down");
    this.kind = kind;
  }
}

/** The work goes on after the next start. */
export function isShutdown({ reason }: AbortSignal): boolean {
  return reason instanceof JobAborted && reason.kind === "shutdown";
}

interface JobAbout {
  /** It may take long: of these only `backgroundLimit` run at once, so that the others never wait for them. */
  readonly background?: boolean;
  /** Whose job it is; null = nobody's, without a limit. */
  readonly requester?: string | null;
}

/** One job at a time per session, in order; sessions run beside each other up to `concurrency`. */
export interface SessionLanes<Job> {
  push(session: string, job: Job, about?: JobAbout): void;
  /** Aborts what runs in a session now, if it is one of these. false = nothing did. */
  abort(session: string, which?: (job: Job) => boolean): boolean;
  /** The same in all of them. */
  abortAll(): void;
  isBusy(session: string): boolean;
  /** Takes nothing new and waits until what runs has ended; after `graceMs` it is aborted. */
  drain(graceMs: number): Promise<void>;
}

export function createSessionLanes<Job>(options: {
  readonly concurrency: number;
  readonly backgroundLimit?: number;
  /** Jobs of one requester at once. */
  readonly perUserLimit?: () => number;
  readonly work: (job: Job, signal: AbortSignal) => Promise<void>;
  /** The disk is full, the database is busy: the lane waits `retryMs` and does the same job again. */
  readonly onFault: (error: unknown, job: Job) => void;
  readonly retryMs: number;
}): SessionLanes<Job> {
  const { backgroundLimit = options.concurrency, perUserLimit = () => options.concurrency } = options;
  const waiting = new Map<string, { readonly job: Job; readonly about: JobAbout }[]>();
  const running = new Map<
    string,
    { readonly job: Job; readonly abort: AbortController; readonly ended: Promise<void>; readonly about: JobAbout }
  >();
  const draining = new AbortController();
  // A job belongs to nobody's asynchronous context: the caller may be in the middle of a turn.
  const outside = AsyncLocalStorage.snapshot();

  function mayStart({ background, requester }: JobAbout): boolean {
    const now = [...running.values()].map(({ about }) => about);
    if (background && now.filter((one) => one.background).length >= backgroundLimit) return false;
    if (requester === undefined || requester === null) return true;
    return now.filter((one) => one.requester === requester).length < perUserLimit();
  }

  function startNext(): void {
    if (draining.signal.aborted) return;
    for (const [session, jobs] of waiting) {
      if (running.size >= options.concurrency) return;
      const [next] = jobs;
      if (next === undefined || running.has(session) || !mayStart(next.about)) continue;
      jobs.shift();
      // Behind the others, so that a chat with much to do does not keep them out.
      waiting.delete(session);
      if (jobs.length > 0) waiting.set(session, jobs);
      start(session, next.job, next.about);
    }
  }

  function start(session: string, job: Job, about: JobAbout): void {
    const abort = new AbortController();
    const ended = outside(() => workUntilDone(job, abort.signal)).then(() => {
      running.delete(session);
      startNext();
    });
    running.set(session, { job, abort, ended, about });
  }

  async function workUntilDone(job: Job, signal: AbortSignal): Promise<void> {
    // An aborted job is worked on once more, so that it can write down that it was stopped.
    for (let last = false; !last;) {
      last = signal.aborted;
      try {
        return await options.work(job, signal);
      } catch (error) {
        options.onFault(error, job);
        await sleep(options.retryMs, AbortSignal.any([draining.signal, signal]), { ref: false });
        if (draining.signal.aborted) return;
      }
    }
  }

  return {
    push(session, job, about = {}) {
      const jobs = waiting.get(session);
      if (jobs) jobs.push({ job, about });
      else waiting.set(session, [{ job, about }]);
      startNext();
    },
    abort(session, which = () => true) {
      const current = running.get(session);
      if (current === undefined || !which(current.job)) return false;
      current.abort.abort(new JobAborted("stop"));
      return true;
    },
    abortAll() {
      for (const { abort } of running.values()) abort.abort(new JobAborted("stop"));
    },
    isBusy: (session) => running.has(session) || waiting.has(session),
    async drain(graceMs) {
      draining.abort();
      const all = () => Promise.all([...running.values()].map((one) => one.ended));
      const grace = AbortSignal.timeout(graceMs);
      const giveUp = () => [...running.values()].forEach((one) => one.abort.abort(new JobAborted("shutdown")));
      grace.addEventListener("abort", giveUp, { once: true });
      await all();
      grace.removeEventListener("abort", giveUp);
    },
  };
}
