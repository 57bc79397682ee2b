import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import { describeError } from "../../core/errors.ts";
import { isInboxItemFinished, type InboxItem } from "../../store/queries/inbox.ts";
import { isStoreFault } from "../../store/engines/is-store-fault.ts";
import type { Store } from "../../store/open-store.ts";
import { nameInbox } from "../recovery/plan-cells.ts";
import type { Fault } from "../recovery/settle-death.ts";
import { mostFaults } from "../turns/put-aside.ts";
import type { Quarantine } from "../recovery/quarantine.ts";
import type { WorkRecord } from "../recovery/work-record.ts";
import type { Dispatch } from "./dispatch.ts";

/** The inbox rows that this process is at work on: none is taken up twice, and those of one chat go one after the other. */
export interface InboxDispatcher {
  /** Dispatches a row, after the earlier ones of its chat. */
  take(item: InboxItem): void;
  /** Gives a row to its lane. */
  pushToLane(item: InboxItem): void;
  /** The lane is done with it. */
  leave(item: InboxItem): void;
  /** Waits until nothing is being dispatched. */
  settled(): Promise<void>;
}

export function createInboxDispatcher(parts: {
  readonly store: Store;
  readonly dispatch: Dispatch;
  readonly push: (item: InboxItem) => void;
  /** A fault was seen; what it concerns may be done or not. */
  readonly onFault: (error: unknown) => void;
  readonly retryMs: number;
  readonly putAside: (item: InboxItem, fault: Fault) => Promise<void>;
  readonly work: Pick<WorkRecord, "during">;
  readonly quarantine: Pick<Quarantine, "admit" | "ended">;
  readonly stopping: AbortSignal;
  readonly log: Logger;
}): InboxDispatcher {
  const { store, work, quarantine, stopping, log } = parts;
  const items = new Map<string, "dispatching" | "in a lane">();
  const chats = new Map<string, Promise<void>>();

  /** A fault of the store is waited out; an event that nothing can be done with is put aside, so that the chat goes on. */
  async function dispatchUntilDone(item: InboxItem): Promise<void> {
    await quarantine.admit(nameInbox(item.id));
    let last: unknown;
    for (let faults = 0; !stopping.aborted;) {
      try {
        return await work.during(nameInbox(item.id), async () => {
          if (faults >= mostFaults) {
            const reason = `It could not be handled ${mostFaults} times: ${describeError(last)}`;
            return parts.putAside(item, { code: "INTERNAL", reason });
          }
          if (last !== undefined && (await isInboxItemFinished(store.main, item.id))) return undefined;
          return parts.dispatch(item);
        });
      } catch (error) {
        last = error;
        faults += isStoreFault(error) ? 0 : 1;
        log.error({ err: error, inbox: item.id, faults }, "an event could not be handled");
        parts.onFault(error);
        if (faults !== mostFaults) await sleep(parts.retryMs, stopping, { ref: false });
      }
    }
  }

  function leave({ id }: InboxItem): void {
    items.delete(id);
    quarantine.ended(nameInbox(id));
  }

  return {
    take(item) {
      if (items.has(item.id)) return;
      items.set(item.id, "dispatching");
      const before = chats.get(item.session) ?? Promise.resolve();
      const after = before
        .then(() => dispatchUntilDone(item))
        .then(() => {
          if (items.get(item.id) === "dispatching") leave(item);
          if (chats.get(item.session) === after) chats.delete(item.session);
        });
      chats.set(item.session, after);
    },
    pushToLane(item) {
      if (items.get(item.id) === "in a lane") return;
      items.set(item.id, "in a lane");
      // One that waits takes no place of those that work.
      void quarantine.admit(nameInbox(item.id)).then(() => parts.push(item));
    },
    leave,
    settled: async () => void (await Promise.all(chats.values())),
  };
}
