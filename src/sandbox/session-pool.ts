import { raceAbort } from "../core/abort.ts";
import type { Clock } from "../core/clock.ts";
import type { SessionContainer } from "./session-container.ts";

export interface SessionPoolLimits {
  /** Milliseconds without a command. */
  readonly idleMs: number;
  /** Milliseconds, however the container was used. */
  readonly ageMs: number;
  readonly commands: number;
  /** Containers at once. */
  readonly kept: number;
}

/** The container that a session needs. One made for another workspace or of another image cannot replace it. */
export interface SessionNeed {
  readonly session: string;
  readonly workspace: string;
  /** Content digest. */
  readonly image: string;
  /** The rest of its making, as one text. */
  readonly make: string;
}

/** A container that is one command's own until it is given back. */
interface SessionLease {
  readonly container: SessionContainer;
  giveBack(): void;
}

/** A container per session, kept between its commands. */
export interface SessionPool {
  /**
   * Starts the session's container if there is no fitting one. At most one lease per session may be out at a time, and
   * the caller respects `kept`. Throws what `open` throws, and the signal's reason.
   */
  take(need: SessionNeed, signal: AbortSignal): Promise<SessionLease>;
  /** As `take`, but without a holder yet; does nothing while every place is in use. Throws what `open` throws. */
  warm(need: SessionNeed): Promise<void>;
  /** The image of the session's container, if one waits or is on its way that its next command would get. */
  imageOf(session: string): string | undefined;
  /**
   * Removes what has lain idle or lived too long, and what is lost. Resolves when that is done, or the engine would not
   * give it up: from then on it is no run of the pool.
   */
  tend(): Promise<void>;
  /** Run labels of the containers that are there or on their way. */
  runs(): readonly string[];
  /** Removes everything and waits until it is gone. */
  stop(): Promise<void>;
}

interface Kept {
  readonly need: SessionNeed;
  readonly run: string;
  readonly opening: Promise<SessionContainer>;
  readonly since: number;
  container: SessionContainer | undefined;
  usedAt: number;
  commands: number;
  busy: boolean;
}

export function createSessionPool(parts: {
  readonly limits: () => SessionPoolLimits;
  /** The current settings of new containers; a container with other settings is removed when it is idle. */
  readonly make: () => string;
  readonly open: (need: SessionNeed) => { readonly run: string; readonly opening: Promise<SessionContainer> };
  readonly clock: Clock;
}): SessionPool {
  const { clock } = parts;
  const bySession = new Map<string, Kept>();
  /** Runs whose containers are being removed; the sweep must not race for them. */
  const leaving = new Map<string, Promise<void>>();
  let tending: NodeJS.Timeout | undefined;

  function isSpent(kept: Kept): boolean {
    const now = clock.now();
    const limits = parts.limits();
    if (kept.need.make !== parts.make()) return true;
    const old = now - kept.since >= limits.ageMs || kept.commands >= limits.commands;
    return old || now - kept.usedAt >= limits.idleMs || kept.container?.runner.state().kind === "lost";
  }

  function retire(kept: Kept): void {
    if (bySession.get(kept.need.session) === kept) bySession.delete(kept.need.session);
    if (leaving.has(kept.run)) return;
    const gone = kept.opening
      .then(
        (container) => container.remove(),
        // The waiting call hears of the fault, and no container is left.
        () => undefined,
      )
      .finally(() => leaving.delete(kept.run));
    leaving.set(kept.run, gone);
    if (bySession.size === 0) clearInterval(tending);
  }

  /** False when every container is running a command. */
  function makeRoom(): boolean {
    const idle = [...bySession.values()].filter((kept) => !kept.busy).sort((a, b) => a.usedAt - b.usedAt);
    while (bySession.size >= parts.limits().kept) {
      const longest = idle.shift();
      if (longest === undefined) return false;
      retire(longest);
    }
    return true;
  }

  function add(need: SessionNeed): Kept {
    const now = clock.now();
    const { run, opening } = parts.open(need);
    const kept: Kept = { need, run, opening, since: now, usedAt: now, container: undefined, commands: 0, busy: false };
    if (bySession.size === 0) tending = setInterval(tend, Math.min(30_000, parts.limits().idleMs)).unref();
    bySession.set(need.session, kept);
    opening.then(
      (container) => (kept.container = container),
      () => retire(kept),
    );
    return kept;
  }

  /** The one that fits, or a new one. */
  function find(need: SessionNeed): Kept | undefined {
    const found = bySession.get(need.session);
    if (found !== undefined && fits(found.need, need) && !isSpent(found)) return found;
    if (found !== undefined) retire(found);
    return makeRoom() ? add(need) : undefined;
  }

  function tend(): void {
    for (const kept of bySession.values()) if (!kept.busy && isSpent(kept)) retire(kept);
  }

  return {
    async take(need, signal) {
      // A session that was let in before `kept` became smaller has a place.
      const kept = find(need) ?? add(need);
      kept.busy = true;
      let out = true;
      const giveBack = (): void => {
        if (!out) return;
        out = false;
        kept.busy = false;
        kept.usedAt = clock.now();
        kept.commands += 1;
        if (isSpent(kept)) retire(kept);
      };
      try {
        return { container: await raceAbort(kept.opening, signal), giveBack };
      } catch (error) {
        giveBack();
        throw error;
      }
    },
    async warm(need) {
      // A busy container is as warm as can be.
      if (bySession.get(need.session)?.busy === true) return;
      const kept = find(need);
      if (kept === undefined) return;
      kept.usedAt = clock.now();
      await kept.opening;
    },
    imageOf(session) {
      const kept = bySession.get(session);
      return kept === undefined || isSpent(kept) ? undefined : kept.need.image;
    },
    async tend() {
      tend();
      await Promise.allSettled(leaving.values());
    },
    runs: () => [...[...bySession.values()].map(({ run }) => run), ...leaving.keys()],
    async stop() {
      for (const kept of bySession.values()) retire(kept);
      await Promise.allSettled(leaving.values());
    },
  };
}

function fits(found: SessionNeed, wanted: SessionNeed): boolean {
  return found.workspace === wanted.workspace && found.image === wanted.image;
}
