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

/** The work resumes after the next start. */
export function isShutdown({ reason }: AbortSignal): boolean {
  return reason instanceof JobAborted && reason.kind === "shutdown";
}

interface JobAbout {
  /** A possibly long job: at most `backgroundLimit` of these run at once, so that others never wait for them. */
  readonly background?: boolean;
  /** The person who requested the job; null for none, without a limit. */
  readonly requester?: string | null;
  /** A message that a running turn may take in instead of leaving it to a turn of its own. */
  readonly joins?: boolean;
}

/**
 * `waiting`: repeat the job once its session is woken; later jobs wait too. `again`: requeue it at the end of its lane.
 */
export type JobEnd = "ended" | "waiting" | "again";

/** Runs one job at a time per session, in order; at most `concurrency` sessions in parallel. */
export interface SessionLanes<Job> {
  push(session: string, job: Job, about?: JobAbout): void;
  /** The jobs of a session that have not begun, in order. */
  listBehind(session: string): readonly Job[];
  /** Repeats a waiting job, or one about to wait, before later ones. */
  wake(session: string): void;
  /** Aborts the running or waiting job of a session if `which` matches it. Returns false when there was neither. */
  abort(session: string, which?: (job: Job) => boolean): boolean;
  /** The same for all sessions. */
  abortAll(): void;
  /** Forgets the waiting jobs of a session, and aborts the running one as at a shutdown. Resolves once it has ended. */
  leave(session: string): Promise<void>;
  isBusy(session: string): boolean;
  /** The running job of a session, or the one that waits to be repeated. */
  findCurrent(session: string): { readonly job: Job; readonly isHeld: boolean } | undefined;
  /** The queued jobs of a session that may join the running one, in order. */
  listJoining(session: string): readonly Job[];
  /** Removes a queued job. */
  drop(session: string, job: Job): void;
  /** Begins no job any more and waits until the running ones have ended; aborts them after `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

interface Entry<Job> {
  readonly job: Job;
  readonly about: JobAbout;
  /** It was held and then woken: it only waits for a slot. */
  readonly woken?: true;
}

export function createSessionLanes<Job>(options: {
  readonly concurrency: () => number;
  readonly backgroundLimit?: number;
  /** Concurrent jobs of one requester. */
  readonly perUserLimit?: () => number;
  readonly work: (job: Job, signal: AbortSignal) => Promise<JobEnd>;
  /** For faults such as a full disk or a busy database: the lane waits `retryMs` and repeats the job. */
  readonly onFault: (error: unknown, job: Job) => void;
  readonly retryMs: number;
}): SessionLanes<Job> {
  const { backgroundLimit = Infinity, perUserLimit = options.concurrency } = options;
  const waiting = new Map<string, Entry<Job>[]>();
  const running = new Map<
    string,
    { readonly job: Job; readonly abort: AbortController; readonly ended: Promise<void>; readonly about: JobAbout }
  >();
  /** Jobs that wait to be repeated; they take no slot. */
  const held = new Map<string, Entry<Job>>();
  /** Sessions that were woken while their job was still running: the event it waits for may come before it ends. */
  const wokenEarly = new Set<string>();
  const draining = new AbortController();
  // Run jobs outside the caller's AsyncLocalStorage: the caller may be inside a turn.
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
      // Moves the session to the end, so that a busy chat does not starve the others.
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

  /** Puts a held job back in front of the later ones. */
  function release(session: string): void {
    const kept = held.get(session);
    if (kept === undefined) return;
    held.delete(session);
    waiting.set(session, [{ ...kept, woken: true }, ...(waiting.get(session) ?? [])]);
  }

  async function workUntilDone(job: Job, signal: AbortSignal): Promise<JobEnd> {
    // An aborted job runs once more, so that it can record its stop.
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

  /** A held job has no worker that could notice the stop, so it is started for that. */
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
    async leave(session) {
      held.delete(session);
      waiting.delete(session);
      const current = running.get(session);
      current?.abort.abort(new JobAborted("shutdown"));
      await current?.ended;
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
