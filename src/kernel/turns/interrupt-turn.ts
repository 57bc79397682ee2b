import type { TurnInput } from "../agent/types.ts";
import type { Person } from "../gate/types.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import { listTurns, type TurnRow } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import { toPersonId } from "../../channels/session-id.ts";
import type { InboundMessage } from "../../channels/types.ts";
import type { InboxDispatcher } from "../lanes/inbox-dispatcher.ts";

/** Stops the turn that runs in a chat or waits for a model, as /stop does, for the words of this row. */
export type InterruptTurn = (item: InboxItem, person: Person) => Promise<void>;

/** In a group nobody takes another's work away, except an owner. A report or a reminder is not stopped. */
export function createInterruptTurn(parts: {
  readonly store: Store;
  readonly inbox: Pick<InboxDispatcher, "abort" | "findCurrent">;
  /** Ends the commands that go on after the call that began them. */
  readonly endFollowed: (session: string) => void;
}): InterruptTurn {
  const { inbox, store } = parts;

  async function findPersonOf(running: InboxItem): Promise<Pick<Person, "id" | "human"> | undefined> {
    const turns = await listTurns(store.main, ["running", "parked"], running.session);
    const isAtWork = ({ state, waiting }: TurnRow) => state === "running" || waiting?.startsWith("model:") === true;
    const turn = turns.find((one) => one.kind === "chat" && isAtWork(one));
    if (turn) return (JSON.parse(turn.input) as TurnInput).person;
    if (running.kind !== "message") return undefined;
    const { address, sender } = JSON.parse(running.payload) as InboundMessage;
    return { id: toPersonId(address.platform, sender.id) };
  }

  return async (item, person) => {
    const running = inbox.findCurrent(item.session)?.job;
    if (running === undefined || running.id === item.id) return;
    if (!["message", "again", "resume"].includes(running.kind)) return;
    const theirs = await findPersonOf(running);
    const isOwn = theirs !== undefined && (theirs.human ?? theirs.id) === (person.human ?? person.id);
    if (!isOwn && person.role !== "owner") return;
    // Another row may run by now.
    if (inbox.abort(item.session, ({ id }) => id === running.id)) parts.endFollowed(item.session);
  };
}
