import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Store } from "../../store/open-store.ts";
import { readChanges, type ChangePlace, type PlacedChange } from "../../store/queries/changes.ts";
import { hearWrites } from "../../store/statements/hear-writes.ts";

export interface FollowerLimits {
  /** Milliseconds between two looks when nothing was heard: what another process writes is not heard. */
  readonly pollMs: number;
  /** The shortest time between two reads. */
  readonly pauseMs: number;
}

interface Follow {
  place: ChangePlace;
  readonly hand: (changes: readonly PlacedChange[]) => void;
  readonly fail: () => void;
}

/** Reads new changes for every follower, when this process has written and at intervals. Without followers it is idle. */
export interface Follower {
  /**
   * Passes on the changes after that place, and later ones as they come, in order. Calls `fail` when the store does not
   * answer. Returns a function that ends it.
   */
  follow(place: ChangePlace, hand: Follow["hand"], fail: Follow["fail"]): () => void;
}

const maxRows = 1_000;

export function createFollower({
  limits: { pauseMs, pollMs },
  log,
  store,
}: {
  readonly store: Pick<Store, "main">;
  readonly limits: FollowerLimits;
  readonly log: Pick<Logger, "warn">;
}): Follower {
  const follows = new Set<Follow>();
  let stopHearing: (() => void) | undefined;
  let isReading = false;
  let isDue = false;

  function wake(): void {
    isDue = true;
    if (!isReading) void readWhileDue();
  }

  async function readWhileDue(): Promise<void> {
    isReading = true;
    while (isDue && follows.size > 0) {
      isDue = false;
      await readForAll();
      await pause(pauseMs, undefined, { ref: false });
    }
    isReading = false;
  }

  /** Followers at the same place share one read. */
  async function readForAll(): Promise<void> {
    const reads = new Map<string, Promise<readonly PlacedChange[]>>();
    const read = (place: ChangePlace): Promise<readonly PlacedChange[]> => {
      const key = `${place.tx}-${place.seq}`;
      const known = reads.get(key) ?? readChanges(store.main, place, maxRows);
      reads.set(key, known);
      return known;
    };
    await Promise.all([...follows].map((follow) => handNext(follow, read)));
  }

  async function handNext(
    follow: Follow,
    read: (place: ChangePlace) => Promise<readonly PlacedChange[]>,
  ): Promise<void> {
    try {
      const changes = await read(follow.place);
      const last = changes.at(-1);
      if (!last || !follows.has(follow)) return;
      follow.place = last.place;
      if (changes.length === maxRows) isDue = true;
      follow.hand(changes);
    } catch (error) {
      log.warn({ err: error }, "the changes could not be read; the page will ask again");
      follow.fail();
    }
  }

  function hear(): () => void {
    const stop = hearWrites(store.main, wake);
    const timer = setInterval(wake, pollMs).unref();
    return () => {
      clearInterval(timer);
      stop();
    };
  }

  return {
    follow(place, hand, fail) {
      const follow: Follow = { place, hand, fail };
      follows.add(follow);
      stopHearing ??= hear();
      wake();
      return () => {
        follows.delete(follow);
        if (follows.size > 0) return;
        stopHearing?.();
        stopHearing = undefined;
      };
    },
  };
}
