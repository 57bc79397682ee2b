import type { Logger } from "pino";
import { createAlarm } from "../../core/schedule/alarm.ts";
import { createWakeLoop } from "../../core/schedule/wake-loop.ts";
import type { ClaimedKey, ClaimQueue } from "../../store/engines/claim-queue.ts";

/** The claims of a process since its start. */
export interface ClaimCounts {
  readonly taken: number;
  /** The claims taken whose last holder had fallen silent. */
  readonly takenAfterSilence: number;
  readonly lost: number;
  /** Since the database last took a sign of life. */
  readonly silentMs: number;
}

/** Keys that this process holds among all processes of a database: conversations, channels. */
export interface Leases {
  start(): void;
  /** Lets any process take the key, this one too. */
  offer(key: string): void;
  /** Something was offered elsewhere. */
  wake(): void;
  /** Whether the key is held for certain: a process that was frozen learns only later what it lost meanwhile. */
  holds(key: string): boolean;
  list(): readonly string[];
  /** Whether the database took the last signs of life. */
  isAlive(): boolean;
  counts(): ClaimCounts;
  /** Gives one back. The work on it has ended. */
  giveBack(key: string): Promise<void>;
  /** Gives back all. */
  stop(): Promise<void>;
}

const lookEveryMs = 1_000;
/** Few, so that the process that asks first does not take all. */
const takenAtOnce = 8;
const soonMs = 50;
const touchEveryMs = 3_000;
/** Others are given a key after 10 s of silence; the margin is for what takes time between this check and its effect. */
const certainMs = 8_000;

interface Held {
  readonly claim: ClaimedKey;
  /** By the monotonic clock, which goes on while a process is frozen. */
  touchedAt: number;
}

export function createLeases(parts: {
  readonly queue: ClaimQueue;
  /** How many keys more this process wants now. */
  readonly room: () => number;
  /** How soon there may be room again, where that is soon. */
  readonly roomComesMs?: number;
  /** The key is held from now on. `losses` = how many holders before fell silent. */
  readonly onTaken: (key: string, losses: number) => void;
  /** Another process holds it, or will. */
  readonly onLost: (key: string) => void;
  readonly log: Logger;
}): Leases {
  const { queue, log } = parts;
  const held = new Map<string, Held>();
  const offered = new Set<string>();
  const alarm = createAlarm();
  const loop = createWakeLoop({ look, alarm });
  let timer: NodeJS.Timeout | undefined;
  let touching = false;
  let aliveAt = performance.now();
  const counts = { taken: 0, takenAfterSilence: 0, lost: 0 };

  async function look(stopping: AbortSignal): Promise<number> {
    const keys = [...offered];
    try {
      for (const key of keys) offered.delete(key);
      if (keys.length > 0) await queue.offer(keys);
      const room = Math.min(parts.room(), takenAtOnce);
      if (room <= 0) return held.size > 0 ? (parts.roomComesMs ?? lookEveryMs) : lookEveryMs;
      // Before the question: the time in which this process slept counts.
      const touchedAt = performance.now();
      const claims = await queue.take(room);
      for (const claim of claims) held.set(claim.key, { claim, touchedAt });
      counts.taken += claims.length;
      counts.takenAfterSilence += claims.filter(({ retryCount }) => retryCount > 0).length;
      for (const claim of claims) if (!stopping.aborted) parts.onTaken(claim.key, claim.retryCount);
      // There may be more than one look takes.
      return offered.size > 0 || (claims.length > 0 && claims.length === room) ? soonMs : lookEveryMs;
    } catch (error) {
      for (const key of keys) offered.add(key);
      log.warn({ err: error }, "claims could not be looked at; trying again");
      return lookEveryMs;
    }
  }

  async function touch(): Promise<void> {
    if (touching) return;
    touching = true;
    await touchHeld();
    touching = false;
  }

  async function touchHeld(): Promise<void> {
    const before = [...held.entries()];
    const startedAt = performance.now();
    try {
      const ours = await queue.touch(before.map(([, { claim }]) => claim));
      aliveAt = startedAt;
      for (const [key, entry] of before) {
        if (held.get(key) !== entry) continue;
        if (ours.has(entry.claim.id)) entry.touchedAt = Math.max(entry.touchedAt, startedAt);
        else lose(key);
      }
    } catch (error) {
      log.warn({ err: error }, "no sign of life could be given; trying again");
    }
  }

  function lose(key: string): void {
    held.delete(key);
    counts.lost += 1;
    log.warn({ key }, "a claim was lost to another process, because this one was silent for too long");
    parts.onLost(key);
  }

  async function giveBack(key: string): Promise<void> {
    const entry = held.get(key);
    held.delete(key);
    // A fault leaves it to the heartbeat.
    if (entry)
      await queue.giveBack(entry.claim).catch((error: unknown) => log.warn({ err: error, key }, "not given back"));
  }

  return {
    start() {
      timer = setInterval(() => void touch(), touchEveryMs).unref();
      void loop.ring();
    },
    offer(key) {
      offered.add(key);
      alarm.ring();
    },
    wake: alarm.ring,
    holds(key) {
      const entry = held.get(key);
      return entry !== undefined && performance.now() - entry.touchedAt < certainMs;
    },
    list: () => [...held.keys()],
    isAlive: () => performance.now() - aliveAt < certainMs,
    counts: () => ({ ...counts, silentMs: performance.now() - aliveAt }),
    giveBack,
    async stop() {
      clearInterval(timer);
      await loop.stop();
      if (offered.size > 0) await queue.offer([...offered]).catch(() => undefined);
      await Promise.all([...held.keys()].map(giveBack));
    },
  };
}
