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
  /** Words for her, which a turn at work may take in before they begin one. */
  readonly joins?: boolean;
}

/**
 * waiting = the job is to be done again once its session is woken; those behind it wait too. again = it goes on behind
 * those that wait in its lane.
 */
export type JobEnd = "ended" | "waiting" | "again";

/** One job at a time per session, in order; sessions run beside each other up to `concurrency`. */
export interface SessionLanes<Job> {
  push(session: string, job: Job, about?: JobAbout): void;
  /** The jobs of a session that have not begun, in order. */
  listBehind(session: string): readonly Job[];
  /** A job that waits, or that is just about to, is done again, before those behind it. */
  wake(session: string): void;
  /** Aborts what runs or waits to be done again in a session, if it is one of these. false = nothing did. */
  abort(session: string, which?: (job: Job) => boolean): boolean;
  /** The same in all of them. */
  abortAll(): void;
  isBusy(session: string): boolean;
  /** The job that runs in a session now, or waits to be done again. */
  findCurrent(session: string): { readonly job: Job; readonly isHeld: boolean } | undefined;
  /** The jobs that wait there and may join the running one, in order. */
  listJoining(session: string): readonly Job[];
  /** A job that waits is not to be done any more. */
  drop(session: string, job: Job): void;
  /** Takes nothing new and waits until what runs has ended; after `graceMs` it is aborted. */
  drain(graceMs: number): Promise<void>;
}

interface Entry<Job> {
  readonly job: Job;
  readonly about: JobAbout;
  /** It was held and is woken: it waits only for a place. */
  readonly woken?: true;
}

export function createSessionLanes<Job>(options: {
  readonly concurrency: () => number;
  readonly backgroundLimit?: number;
  /** Jobs of one requester at once. */
  readonly perUserLimit?: () => number;
  readonly work: (job: Job, signal: AbortSignal) => Promise<JobEnd>;
  /** The disk is full, the database is busy: the lane waits `retryMs` and does the same job again. */
  readonly onFault: (error: unknown, job: Job) => void;
  readonly retryMs: number;
}): SessionLanes<Job> {
  const { backgroundLimit = Infinity, perUserLimit = options.concurrency } = options;
  const waiting = new Map<string, Entry<Job>[]>();
  const running = new Map<
    string,
    { readonly job: Job; readonly abort: AbortController; readonly ended: Promise<void>; readonly about: JobAbout }
  >();
  /** Jobs that wait to be done again; they take nobody's place. */
  const held = new Map<string, Entry<Job>>();
  /** Sessions that were woken while their job was still running: what it waits for may have come before it ends. */
  const wokenEarly = new Set<string>();
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
      if (running.size >= options.concurrency()) return;
      const [next] = jobs;
      if (next === undefined || running.has(session) || held.has(session) || !mayStart(next.about)) continue;
      jobs.shift();
      // Behind the others, so that a chat with much to do does not keep them out.
      waiting.delete(session);
      if (jobs.length > 0) waiting.set(session, jobs);
      start(session, next.job, next.about);
    }
  }

  function start(session: string, job: Job, about: JobAbout, abort = new AbortController()): void {
    const ended = outside(() => workUntilDone(job, abort.signal)).then((end) => {
      running.delete(session);
      const isWoken = wokenEarly.delete(session);
      if (end === "waiting") held.set(session, { job, about });
      if (end === "waiting" && isWoken) release(session);
      if (end === "again") waiting.set(session, [...(waiting.get(session) ?? []), { job, about }]);
      startNext();
    });
    running.set(session, { job, abort, ended, about });
  }

  /** A job that waits stands before those behind it again. */
  function release(session: string): void {
    const kept = held.get(session);
    if (kept === undefined) return;
    held.delete(session);
    waiting.set(session, [{ ...kept, woken: true }, ...(waiting.get(session) ?? [])]);
  }

  async function workUntilDone(job: Job, signal: AbortSignal): Promise<JobEnd> {
    // An aborted job is worked on once more, so that it can write down that it was stopped.
    for (let last = false; !last;) {
      last = signal.aborted;
      try {
        const end = await options.work(job, signal);
        if (end === "ended" || !signal.aborted) return end;
      } catch (error) {
        options.onFault(error, job);
        await sleep(options.retryMs, AbortSignal.any([draining.signal, signal]), { ref: false });
        if (draining.signal.aborted) return "ended";
      }
    }
    return "ended";
  }

  function findHeld(session: string): Entry<Job> | undefined {
    const [first] = waiting.get(session) ?? [];
    return held.get(session) ?? (first?.woken ? first : undefined);
  }

  function drop(session: string, job: Job): void {
    const rest = (waiting.get(session) ?? []).filter((one) => one.job !== job);
    if (rest.length > 0) waiting.set(session, rest);
    else waiting.delete(session);
  }

  /** Nobody works on a waiting job who could hear of the stop: it is taken up for that. */
  function abortHeld(session: string, { job, about }: Entry<Job>): void {
    held.delete(session);
    drop(session, job);
    const abort = new AbortController();
    abort.abort(new JobAborted("stop"));
    start(session, job, about, abort);
  }

  return {
    push(session, job, about = {}) {
      const jobs = waiting.get(session);
      if (jobs) jobs.push({ job, about });
      else waiting.set(session, [{ job, about }]);
      startNext();
    },
    listBehind: (session) => (waiting.get(session) ?? []).map(({ job }) => job),
    wake(session) {
      if (running.has(session)) wokenEarly.add(session);
      release(session);
      startNext();
    },
    abort(session, which = () => true) {
      const kept = findHeld(session);
      if (kept !== undefined && which(kept.job)) abortHeld(session, kept);
      const current = running.get(session);
      if (current === undefined || !which(current.job)) return false;
      current.abort.abort(new JobAborted("stop"));
      return true;
    },
    abortAll() {
      for (const session of [...held.keys(), ...waiting.keys()]) {
        const kept = findHeld(session);
        if (kept !== undefined) abortHeld(session, kept);
      }
      for (const { abort } of running.values()) abort.abort(new JobAborted("stop"));
    },
    isBusy: (session) => running.has(session) || held.has(session) || waiting.has(session),
    findCurrent(session) {
      const current = running.get(session);
      const kept = current ?? findHeld(session);
      return kept && { job: kept.job, isHeld: current === undefined };
    },
    listJoining: (session) =>
      (waiting.get(session) ?? []).flatMap(({ job, about }) => (about.joins === true ? [job] : [])),
    drop,
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
