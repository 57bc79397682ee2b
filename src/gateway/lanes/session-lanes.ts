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

/** One job at a time per session, in order; sessions run beside each other up to `concurrency`. */
export interface SessionLanes<Job> {
  push(session: string, job: Job): void;
  /** Aborts what runs in a session now. false = nothing did. */
  abort(session: string): boolean;
  /** The same in all of them. */
  abortAll(): void;
  isBusy(session: string): boolean;
  /** Takes nothing new and waits until what runs has ended; after `graceMs` it is aborted. */
  drain(graceMs: number): Promise<void>;
}

export function createSessionLanes<Job>(options: {
  readonly concurrency: number;
  /** Of these jobs, which may take long, at most `most` run at once: the others never wait for them. */
  readonly aside?: { readonly is: (job: Job) => boolean; readonly most: number };
  /** Jobs that belong together, such as those of one person: at most `most` of them run at once. */
  readonly share?: { readonly of: (job: Job) => string | undefined; readonly most: () => number };
  readonly work: (job: Job, signal: AbortSignal) => Promise<void>;
  /** The disk is full, the database is busy: the lane waits `retryMs` and does the same job again. */
  readonly onFault: (error: unknown, job: Job) => void;
  readonly retryMs: number;
}): SessionLanes<Job> {
  const waiting = new Map<string, Job[]>();
  const running = new Map<
    string,
    {
      readonly abort: AbortController;
      readonly ended: Promise<void>;
      readonly aside: boolean;
      readonly share: string | undefined;
    }
  >();
  const draining = new AbortController();
  // A job belongs to nobody's asynchronous context: whoever pushes it may be in the middle of a turn of thought.
  const outside = AsyncLocalStorage.snapshot();

  const isAside = (job: Job | undefined): boolean => job !== undefined && options.aside?.is(job) === true;
  const isAsideFull = (): boolean =>
    [...running.values()].filter((one) => one.aside).length >= (options.aside?.most ?? options.concurrency);

  const isShareUsed = (job: Job | undefined): boolean => {
    const share = job === undefined ? undefined : options.share?.of(job);
    if (share === undefined) return false;
    return [...running.values()].filter((one) => one.share === share).length >= (options.share?.most() ?? 0);
  };

  function startNext(): void {
    if (draining.signal.aborted) return;
    for (const [session, jobs] of waiting) {
      if (running.size >= options.concurrency) return;
      if (running.has(session) || (isAside(jobs[0]) && isAsideFull()) || isShareUsed(jobs[0])) continue;
      const job = jobs.shift();
      // Behind the others, so that a chat with much to do does not keep them out.
      waiting.delete(session);
      if (jobs.length > 0) waiting.set(session, jobs);
      if (job !== undefined) start(session, job);
    }
  }

  function start(session: string, job: Job): void {
    const abort = new AbortController();
    const ended = outside(() => workUntilDone(job, abort.signal)).then(() => {
      running.delete(session);
      startNext();
    });
    running.set(session, { abort, ended, aside: isAside(job), share: options.share?.of(job) });
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
    push(session, job) {
      const jobs = waiting.get(session);
      if (jobs) jobs.push(job);
      else waiting.set(session, [job]);
      startNext();
    },
    abort(session) {
      const current = running.get(session);
      current?.abort.abort(new JobAborted("stop"));
      return current !== undefined;
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
