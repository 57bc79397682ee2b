import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import { describeError } from "../../core/errors.ts";
import type { Meter } from "../../core/meter.ts";
import { isStoreFault } from "../../store/engines/is-store-fault.ts";
import type { Store } from "../../store/open-store.ts";
import {
  countInboxFault,
  isInboxItemFinished,
  listUnfinishedInbox,
  type InboxItem,
} from "../../store/queries/inbox.ts";
import type { Quarantine } from "../recovery/quarantine.ts";
import type { Fault } from "../recovery/settle-death.ts";
import { nameInbox, type WorkRecord } from "../recovery/work-record.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import { laneOf as defaultLaneOf } from "./jobs.ts";
import type { SessionClaims } from "../claims/session-claims.ts";
import { createSessionLanes, type JobEnd, type SessionLanes } from "./session-lanes.ts";

/** Faults of a row before it is put aside. */
const maxFaults = 3;

/**
 * The workers of rows. The dispatcher is created first, so that everything that supplies rows can be created before the
 * workers.
 */
export interface InboxWorkers {
  /** Decides what a row is; the rows of one chat in sequence. */
  dispatch(item: InboxItem): Promise<void>;
  /** The work of a lane. */
  work(item: InboxItem, signal: AbortSignal): Promise<JobEnd>;
  putAside(item: InboxItem, fault: Fault): Promise<void>;
  /** Collects work that a store error left behind. */
  pickUp(): Promise<void>;
}

/** The inbox rows of this process; none is taken twice. Rows supplied before the start are found by it. */
export interface InboxDispatcher
  extends
    Pick<
      SessionLanes<InboxItem>,
      "abort" | "abortAll" | "isBusy" | "drain" | "findCurrent" | "listBehind" | "listJoining" | "wake"
    >,
    Omit<Reconciler, "settled"> {
  /** `session` restricts it to one session. */
  start(workers: InboxWorkers, session?: string): void;
  /** Adds a session to a restricted dispatcher. Returns false when it was included already. */
  widen(session: string): boolean;
  /** A row was committed: it is dispatched after the earlier ones of its chat, by the process that has the chat. */
  take(item: InboxItem): void;
  /** The same for the process that has the chat. */
  takeRow(item: InboxItem): void;
  /** Takes every unfinished row of a session that is not in progress. */
  takeRows(session: string): Promise<void>;
  hasRow(id: string): boolean;
  /** Whether nothing of a session is in progress. */
  isQuiet(session: string): boolean;
  /** The sessions in which something is in progress. */
  countBusy(): number;
  /** Ends what runs in a session as at a shutdown, because another process goes on with it. */
  leaveSession(session: string): Promise<void>;
  /** Takes every unfinished row that is not in progress. */
  takeUnfinished(): Promise<void>;
  /** Takes the stored tasks of a session. Never throws: a row left behind is found later. */
  takeTasks(session: string): Promise<void>;
  /** Gives a row to its lane. */
  pushToLane(item: InboxItem): void;
  /** The same for a message that a running turn may take in; resolves once it is in the lane. */
  pushWords(item: InboxItem): Promise<void>;
  /** A turn took this message in: removes it from the lane. */
  dropWords(item: InboxItem): void;
  /** Waits until no row is being dispatched. */
  settled(): Promise<void>;
}

export function createInboxDispatcher(parts: {
  readonly store: Store;
  readonly claims: Pick<SessionClaims, "abortElsewhere" | "isOurs" | "isShared" | "pass" | "passAll">;
  readonly work: Pick<WorkRecord, "during">;
  readonly quarantine: Pick<Quarantine, "admit" | "ended">;
  /** Concurrent turns: in total, per person, and of sub-agents. */
  readonly limits: { readonly all: () => number; readonly person: () => number; readonly tasks: number };
  readonly hooks: Pick<CallHooks, "findJob">;
  readonly retryMs: number;
  readonly stopping: AbortSignal;
  readonly meter: Meter;
  readonly log: Logger;
}): InboxDispatcher {
  const { store, claims, work, quarantine, limits, retryMs, stopping, log } = parts;
  const laneOf = (item: InboxItem) => parts.hooks.findJob(item.kind)?.lane?.(item) ?? defaultLaneOf(item);
  const items = new Map<string, { readonly item: InboxItem; readonly state: "dispatching" | "in a lane" }>();
  const chats = new Map<string, Promise<void>>();
  /** For each list of rows that is being read, those that ended meanwhile. */
  const listings = new Set<Set<string>>();
  let workers: InboxWorkers | undefined;
  /** Restricts to these sessions; undefined for all. */
  let scope: Set<string> | undefined;

  const onFault = () => parts.meter({ kind: "store-failed" });
  const reconciler = createReconciler({ pickUp: async () => workers?.pickUp(), onFault, retryMs, stopping, log });
  const { reconcile, withReconcile } = reconciler;
  const lanes = createSessionLanes<InboxItem>({
    concurrency: limits.all,
    backgroundLimit: limits.tasks,
    perUserLimit: limits.person,
    async work(item, signal) {
      if (!claims.isOurs(item.session)) {
        leave(item);
        return "ended";
      }
      const end = workers ? await workOrPutAside(workers, item, signal) : "ended";
      if (end === "ended") leave(item);
      else quarantine.ended(nameInbox(item.id));
      return end;
    },
    onFault(error, item) {
      log.error({ err: error, inbox: item.id }, "a turn could not be carried on; it is tried again");
      reconcile(error);
    },
    retryMs,
  });

  /** A store error leaves the row for another attempt; after `maxFaults` other faults the row is put aside. */
  async function workOrPutAside(given: InboxWorkers, item: InboxItem, signal: AbortSignal): Promise<JobEnd> {
    return work.during(nameInbox(item.id), async () => {
      try {
        return await given.work(item, signal);
      } catch (error) {
        if (isStoreFault(error) || (await countInboxFault(store.main, item.id)) < maxFaults) throw error;
        log.error({ err: error, inbox: item.id }, "an event was given up");
        const reason = `It was tried ${maxFaults} times: ${describeError(error)}`;
        await given.putAside(item, { code: "INTERNAL", reason });
        return "ended";
      }
    });
  }

  /** Store errors are retried; an event that cannot be processed is put aside, so that the chat continues. */
  async function dispatchUntilDone({ dispatch, putAside }: InboxWorkers, item: InboxItem): Promise<void> {
    await quarantine.admit(nameInbox(item.id));
    let last: unknown;
    for (let faults = 0; !stopping.aborted;) {
      // Another process may have the chat by now; the row is found again if this one still has it.
      if (!claims.isOurs(item.session)) return undefined;
      try {
        return await work.during(nameInbox(item.id), async () => {
          if (faults >= maxFaults) {
            const reason = `It could not be handled ${maxFaults} times: ${describeError(last)}`;
            return putAside(item, { code: "INTERNAL", reason });
          }
          if (last !== undefined && (await isInboxItemFinished(store.main, item.id))) return undefined;
          return dispatch(item);
        });
      } catch (error) {
        last = error;
        faults += isStoreFault(error) ? 0 : 1;
        log.error({ err: error, inbox: item.id, faults }, "an event could not be handled");
        reconcile(error);
        if (faults !== maxFaults) await sleep(retryMs, stopping, { ref: false });
      }
    }
  }

  function takeRow(item: InboxItem): void {
    const given = workers;
    if (given === undefined || items.has(item.id)) return;
    items.set(item.id, { item, state: "dispatching" });
    const before = chats.get(item.session) ?? Promise.resolve();
    const after = before
      .then(() => dispatchUntilDone(given, item))
      .then(() => {
        if (items.get(item.id)?.state === "dispatching") leave(item);
        if (chats.get(item.session) === after) chats.delete(item.session);
      });
    chats.set(item.session, after);
  }

  async function push(item: InboxItem, joins: boolean): Promise<void> {
    if (!claims.isOurs(item.session)) return claims.pass(item);
    if (workers === undefined || items.get(item.id)?.state === "in a lane") return;
    items.set(item.id, { item, state: "in a lane" });
    const lane = laneOf(item);
    // A plain reminder takes no time.
    const background = lane !== item.session && item.kind !== "reminder";
    const about = { background, requester: item.requester, joins };
    // Quarantined rows do not take a concurrency slot.
    await quarantine.admit(nameInbox(item.id));
    lanes.push(lane, item, about);
  }

  function leave({ id }: InboxItem): void {
    items.delete(id);
    for (const ended of listings) ended.add(id);
    quarantine.ended(nameInbox(id));
  }

  async function takeRows(session: string | undefined): Promise<void> {
    const ended = new Set<string>();
    listings.add(ended);
    try {
      // A row that ended while the list was read may be in it as unfinished.
      for (const item of await listUnfinishedInbox(store.main, session)) if (!ended.has(item.id)) takeRow(item);
    } finally {
      listings.delete(ended);
    }
  }

  const listOf = (session: string) => [...items.values()].filter(({ item }) => item.session === session);

  return {
    take: claims.pass,
    takeRow,
    takeRows,
    hasRow: (id) => items.has(id),
    isQuiet: (session) => !chats.has(session) && listOf(session).length === 0,
    countBusy: () => new Set([...items.values()].map(({ item }) => item.session)).size,
    async leaveSession(session) {
      const begun = listOf(session);
      await Promise.all([...new Set(begun.map(({ item }) => laneOf(item)))].map(lanes.leave));
      await chats.get(session);
      for (const { item } of begun) leave(item);
    },
    reconcile,
    withReconcile,
    abort(session, which) {
      if (which === undefined && !claims.isOurs(session)) claims.abortElsewhere(session);
      return lanes.abort(session, which);
    },
    abortAll: lanes.abortAll,
    isBusy: lanes.isBusy,
    listBehind: lanes.listBehind,
    wake: lanes.wake,
    findCurrent: lanes.findCurrent,
    listJoining: lanes.listJoining,
    drain: lanes.drain,
    start(given, session) {
      workers = given;
      scope = session === undefined ? undefined : new Set([session]);
    },
    widen(session) {
      if (scope === undefined || scope.has(session)) return false;
      scope.add(session);
      return true;
    },
    async takeUnfinished() {
      if (claims.isShared) return claims.passAll();
      for (const session of scope ?? [undefined]) await takeRows(session);
    },
    async takeTasks(session) {
      try {
        const rows = await listUnfinishedInbox(store.main, session);
        for (const item of rows) if (item.kind === "task") claims.pass(item);
      } catch (error) {
        log.error({ err: error, session }, "tasks could not be begun; trying again");
        reconcile(error);
      }
    },
    pushToLane: (item) => void push(item, false),
    pushWords: (item) => push(item, true),
    dropWords(item) {
      lanes.drop(laneOf(item), item);
      leave(item);
    },
    async settled() {
      await reconciler.settled();
      await Promise.all(chats.values());
    },
  };
}

/**
 * When a connection is lost during a commit, its result is unknown. Rows written then are in the tables without a
 * worker: an accepted message, a resume job, a message to send. So after a store error the tables are searched again,
 * as at startup.
 */
interface Reconciler {
  /** Reports a fault. */
  reconcile(fault: unknown): void;
  /** The same around work that a caller awaits. */
  withReconcile<T>(work: Promise<T>): Promise<T>;
  /** Waits for the running search, once `stopping` has fired. */
  settled(): Promise<void>;
}

function createReconciler(parts: {
  /** Takes every unfinished row that no worker has. */
  readonly pickUp: () => Promise<void>;
  readonly onFault: () => void;
  readonly retryMs: number;
  readonly stopping: AbortSignal;
  readonly log: Logger;
}): Reconciler {
  const { stopping, log } = parts;
  let faults = 0;
  let looking: Promise<void> | undefined;

  /** Repeats until a search completes without a new fault. */
  async function look(): Promise<void> {
    for (let seen = -1; seen !== faults && !stopping.aborted;) {
      await sleep(parts.retryMs, stopping, { ref: false });
      if (stopping.aborted) return;
      seen = faults;
      try {
        await parts.pickUp();
      } catch (error) {
        faults += 1;
        parts.onFault();
        log.error({ err: error }, "what a fault of the store left behind could not be looked for");
      }
    }
  }

  function reconcile(fault: unknown): void {
    if (!isStoreFault(fault)) return;
    faults += 1;
    parts.onFault();
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }

  return {
    reconcile,
    async withReconcile(work) {
      try {
        return await work;
      } catch (error) {
        reconcile(error);
        throw error;
      }
    },
    settled: async () => looking,
  };
}
