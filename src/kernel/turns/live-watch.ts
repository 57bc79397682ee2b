import type { Logger } from "pino";
import type { LiveView } from "../../channels/types.ts";

export type WatchedView = Pick<LiveView, "turn" | "text" | "tools">;

/** The events for a page that watches a conversation. */
interface Watcher {
  see(view: WatchedView): void;
  /** No further view of that turn comes until it goes on. */
  end(turn: string): void;
}

/** A turn that runs, for those who watch its conversation from elsewhere. */
interface WatchedTurn {
  /** Whether a page watches it now. */
  isWatched(): boolean;
  changed(): void;
  end(): void;
}

export interface LiveWatch {
  /** `look` makes the newest view. It is called only while a page watches. */
  begin(session: string, turn: string, look: () => Promise<WatchedView>): WatchedTurn;
  /** The view of what runs there comes at once. Answers how to end it. */
  watch(session: string, watcher: Watcher): () => void;
}

interface Running {
  readonly session: string;
  readonly look: () => Promise<WatchedView>;
  isDue: boolean;
  isAtWork: boolean;
}

/** The shortest time between two views of a turn. */
const pauseMs = 100;

/** Best effort: no fault of it reaches a turn. */
export function createLiveWatch(log: Pick<Logger, "debug">): LiveWatch {
  const running = new Set<Running>();
  const watchers = new Map<string, Set<Watcher>>();

  function wake(turn: Running): void {
    turn.isDue = true;
    if (turn.isAtWork) return;
    turn.isAtWork = true;
    void showNewest(turn);
  }

  /** Only the newest view: what changed in between is in it. */
  async function showNewest(turn: Running): Promise<void> {
    const isWatched = () => running.has(turn) && watchers.has(turn.session);
    while (turn.isDue && isWatched()) {
      turn.isDue = false;
      try {
        const view = await turn.look();
        if (isWatched()) for (const watcher of watchers.get(turn.session) ?? []) watcher.see(view);
      } catch (error) {
        log.debug({ err: error, session: turn.session }, "a view of a turn could not be shown to those who watch");
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    }
    turn.isAtWork = false;
  }

  return {
    begin(session, turn, look) {
      const own: Running = { session, look, isDue: false, isAtWork: false };
      running.add(own);
      return {
        isWatched: () => watchers.has(session),
        changed() {
          if (watchers.has(session)) wake(own);
        },
        end() {
          if (!running.delete(own)) return;
          for (const watcher of watchers.get(session) ?? []) watcher.end(turn);
        },
      };
    },
    watch(session, watcher) {
      const others = watchers.get(session) ?? new Set();
      watchers.set(session, others.add(watcher));
      for (const turn of running) if (turn.session === session) wake(turn);
      return () => {
        others.delete(watcher);
        if (others.size === 0 && watchers.get(session) === others) watchers.delete(session);
      };
    },
  };
}
