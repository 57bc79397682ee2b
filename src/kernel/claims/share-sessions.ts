import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { createWakeLoop } from "../../core/schedule/wake-loop.ts";
import type { ClaimQueue } from "../../store/engines/claim-queue.ts";
import type { Signals } from "../../store/engines/postgres-signals.ts";
import { hasUnfinishedInbox, listWaitingInbox } from "../../store/queries/inbox.ts";
import type { Store } from "../../store/open-store.ts";
import { type ClaimCounts, createLeases } from "./leases.ts";
import type { ClaimWorker, SessionClaims } from "./session-claims.ts";

/** How long a quiet conversation stays: its next message is answered without another claim. */
const idleMs = 15_000;
const tendEveryMs = 1_000;
const maxLeavingMs = 10_000;
/** A row that waits for so long was not noticed by any process. */
const overlookedMs = 2_000;
const maxOverlooked = 500;
/** A row in progress has a holder, or its claim waits for one; only a fault of the store leaves it without. */
const looksBetweenRunning = 10;

interface Holding {
  quietSince: number | undefined;
  looking: Promise<void> | undefined;
  again: boolean;
  isReady: boolean;
  lost: boolean;
}

export interface SharedSessions extends SessionClaims {
  list(): readonly string[];
  isAlive(): boolean;
  counts(): ClaimCounts;
}

/**
 * Conversations that processes of one database share: each is worked on by one of them at a time. The inbox says what is
 * to be done and the queue only who does it, so an offer that is lost costs time and no message: a look at the inbox
 * finds the row.
 */
export function shareSessions(parts: {
  readonly queue: ClaimQueue;
  readonly signals: Pick<Signals, "send" | "on">;
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
  readonly log: Logger;
}): SharedSessions {
  const { queue, signals, store, clock, log } = parts;
  const holdings = new Map<string, Holding>();
  /** Conversations that were lost while something ran there. */
  const leaving = new Map<string, Promise<void>>();
  let worker: ClaimWorker | undefined;
  let closed = false;
  let looks = 0;

  const leases = createLeases({
    queue,
    // Rows of a conversation that was just taken are not in progress yet.
    room: () => (worker === undefined || closed ? 0 : worker.room() - countBeginning()),
    roomComesMs: 50,
    onTaken: (session, losses) => void begin(session, losses),
    onLost: lose,
    log,
  });
  const loop = createWakeLoop({ look: tend });

  const countBeginning = (): number =>
    [...holdings.values()].filter(({ isReady, looking }) => !isReady || looking !== undefined).length;

  async function begin(session: string, losses: number): Promise<void> {
    const holding: Holding = { quietSince: undefined, looking: undefined, again: false, isReady: false, lost: false };
    holdings.set(session, holding);
    try {
      const left = leaving.get(session);
      // Work that does not end may not keep the conversation from other processes.
      if (left && (await Promise.race([left.then(() => false), pause(maxLeavingMs).then(() => true)])))
        throw new Error("the work of before has not ended yet");
      if (holding.lost) return;
      await worker?.takeUp(session, losses);
      holding.isReady = true;
      look(session, holding);
    } catch (error) {
      log.error({ err: error, session }, "a conversation could not be taken up; trying again");
      if (holdings.get(session) !== holding) return;
      holdings.delete(session);
      await leases.giveBack(session);
    }
  }

  /** One look at a time, so that rows begin in the order of the inbox. */
  function look(session: string, holding: Holding): void {
    holding.again = true;
    holding.looking ??= lookUntilDone(session, holding).finally(() => {
      holding.looking = undefined;
    });
  }

  async function lookUntilDone(session: string, holding: Holding): Promise<void> {
    while (holding.again && holding.isReady && !holding.lost && leases.holds(session)) {
      holding.again = false;
      await worker?.takeRows(session).catch((error: unknown) => {
        log.warn({ err: error, session }, "the inbox of a conversation could not be read; trying again");
      });
    }
  }

  function pass(session: string): void {
    const holding = holdings.get(session);
    if (holding) look(session, holding);
    if (holding && (!holding.isReady || leases.holds(session))) return;
    leases.offer(session);
    signals.send("session", session);
  }

  function lose(session: string): void {
    const holding = holdings.get(session);
    holdings.delete(session);
    if (!holding || !worker) return;
    holding.lost = true;
    const left = worker.leave(session).finally(() => {
      void worker?.letGo(session, true);
      if (leaving.get(session) === left) leaving.delete(session);
    });
    leaving.set(session, left);
  }

  /** Gives back what has been quiet for long, and finds rows that no process noticed. Never throws. */
  async function tend(): Promise<number> {
    try {
      const now = performance.now();
      for (const [session, holding] of holdings) {
        if (!holding.isReady) continue;
        if (holding.looking || !worker?.isQuiet(session)) holding.quietSince = undefined;
        else holding.quietSince ??= now;
        if (holding.quietSince !== undefined && now - holding.quietSince >= (closed ? 0 : idleMs))
          await release(session);
      }
      await findOverlooked();
    } catch (error) {
      log.warn({ err: error }, "conversations could not be looked at; trying again");
    }
    return tendEveryMs;
  }

  async function release(session: string): Promise<void> {
    holdings.delete(session);
    await worker?.letGo(session, false);
    await leases.giveBack(session);
    // A row that came meanwhile was offered while this process still held the conversation.
    if (await hasUnfinishedInbox(store.main, session)) pass(session);
  }

  async function findOverlooked(): Promise<void> {
    const sessions = new Set<string>();
    looks += 1;
    const states = ["received", "queued", ...(looks % looksBetweenRunning === 1 ? ["running" as const] : [])] as const;
    for (const { id, session } of await listWaitingInbox(store.main, states, clock.now() - overlookedMs, maxOverlooked))
      if (!worker?.hasRow(id)) sessions.add(session);
    for (const session of sessions) {
      const holding = holdings.get(session);
      if (holding) look(session, holding);
      else leases.offer(session);
    }
  }

  return {
    isShared: true,
    isOurs: (session) => holdings.get(session)?.isReady === true && leases.holds(session),
    pass: ({ session }) => pass(session),
    passAll: findOverlooked,
    abortElsewhere: (session) => signals.send("abort", session),
    list: () => [...holdings.keys()],
    isAlive: leases.isAlive,
    counts: leases.counts,
    async start(given) {
      worker = given;
      signals.on("session", (session) => {
        const holding = holdings.get(session);
        if (holding) look(session, holding);
        else leases.wake();
      });
      signals.on("abort", (session) => {
        if (holdings.has(session)) given.abort(session);
      });
      leases.start();
      void loop.ring();
    },
    async close() {
      closed = true;
      await loop.ring();
    },
    async stop() {
      await loop.stop();
      const left = [...holdings.keys()];
      await leases.stop();
      // Rows that never began go on elsewhere at once.
      try {
        for (const session of left) if (await hasUnfinishedInbox(store.main, session)) await queue.offer([session]);
      } catch (error) {
        log.warn({ err: error }, "rows that never began wait until another process finds them");
      }
      for (const session of left) signals.send("session", session);
    },
  };
}
