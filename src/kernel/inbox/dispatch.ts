import type { InboxItem } from "../../store/queries/inbox.ts";
import type { StoredEvent } from "../../channels/types.ts";

type OfKind<Kind extends StoredEvent["kind"]> = Extract<StoredEvent, { readonly kind: Kind }>;

/** Handles an event of one kind, then finishes its row or passes it to the lane of its session. */
export type HandleEvent<Kind extends StoredEvent["kind"]> = (item: InboxItem, event: OfKind<Kind>) => Promise<void>;

/** One handler for each kind of event, in dispatch-<kind>.ts. */
export type EventHandlers = { readonly [Kind in StoredEvent["kind"]]: HandleEvent<Kind> };

/** Gives an accepted event to the handler of its kind. */
export type Dispatch = (item: InboxItem) => Promise<void>;

export function createDispatch(parts: {
  readonly handlers: EventHandlers;
  readonly pushToLane: (item: InboxItem) => void;
}): Dispatch {
  const { handlers, pushToLane } = parts;
  const isEvent = (kind: string): kind is StoredEvent["kind"] => Object.hasOwn(handlers, kind);
  return async function dispatch(item) {
    // After a restart, a row continues where it was. Internal jobs are no events; only the lane handles them.
    if (item.state !== "received" || !isEvent(item.kind)) pushToLane(item);
    else await handlers[item.kind](item, JSON.parse(item.payload) as never);
  };
}
