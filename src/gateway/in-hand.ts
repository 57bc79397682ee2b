import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import { isInboxItemFinished, setInboxState, type InboxItem } from "../store/queries/inbox.ts";
import { isStoreFault } from "../store/is-store-fault.ts";
import type { Store } from "../store/open-store.ts";
import type { Dispatch } from "./dispatch.ts";
import { waitUnlessStopped } from "./wait-unless-stopped.ts";

/** The inbox rows that this process is at work on: none is taken up twice, and those of one chat go one after the other. */
export interface InHand {
  /** Dispatches a row, after the earlier ones of its chat. */
  take(item: InboxItem): void;
  /** Gives a row to its lane. */
  pushToLane(item: InboxItem): void;
  /** The lane is done with it. */
  leave(item: InboxItem): void;
  /** Waits until nothing is being dispatched. */
  settled(): Promise<void>;
}

const mostAttempts = 3;

export function createInHand(parts: {
  readonly store: Store;
  readonly dispatch: Dispatch;
  readonly push: (item: InboxItem) => void;
  /** A fault was seen; what it concerns may be done or not. */
  readonly onFault: (error: unknown) => void;
  readonly retryMs: number;
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
}): InHand {
  const { store, stopping, clock, log } = parts;
  const items = new Map<string, "dispatching" | "in a lane">();
  const chats = new Map<string, Promise<void>>();

  /** A fault of the store is waited out; an event that nothing can be done with is put aside, so that the chat goes on. */
  async function dispatchUntilDone(item: InboxItem): Promise<void> {
    let doubtful = false;
    for (let attempts = 0; !stopping.aborted;) {
      try {
        if (attempts >= mostAttempts) return await setAside(item);
        if (doubtful && (await isInboxItemFinished(store.main, item.id))) return;
        return await parts.dispatch(item);
      } catch (error) {
        attempts += isStoreFault(error) ? 0 : 1;
        log.error({ err: error, inbox: item.id, attempts }, "an event could not be handled");
        doubtful = true;
        parts.onFault(error);
        if (attempts !== mostAttempts) await waitUnlessStopped(parts.retryMs, stopping);
      }
    }
  }

  async function setAside(item: InboxItem): Promise<void> {
    log.error({ inbox: item.id }, "an event was given up; its row says dead");
    await setInboxState(store.main, item.id, "dead", clock.now());
  }

  return {
    take(item) {
      if (items.has(item.id)) return;
      items.set(item.id, "dispatching");
      const before = chats.get(item.session) ?? Promise.resolve();
      const after = before
        .then(() => dispatchUntilDone(item))
        .then(() => {
          if (items.get(item.id) === "dispatching") items.delete(item.id);
          if (chats.get(item.session) === after) chats.delete(item.session);
        });
      chats.set(item.session, after);
    },
    pushToLane(item) {
      if (items.get(item.id) === "in a lane") return;
      items.set(item.id, "in a lane");
      parts.push(item);
    },
    leave: (item) => void items.delete(item.id),
    settled: async () => void (await Promise.all(chats.values())),
  };
}
