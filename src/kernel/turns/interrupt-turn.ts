import type { TurnInput } from "../agent/types.ts";
import type { Person } from "../gate/types.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import { listTurns, type TurnRow } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import { toPersonId } from "../../channels/session-id.ts";
import type { InboundMessage } from "../../channels/types.ts";
import type { InboxDispatcher } from "../lanes/inbox-dispatcher.ts";

/** Stops the chat's turn that runs or waits for a model, as /stop does, because of this row. */
export type InterruptTurn = (item: InboxItem, person: Person) => Promise<void>;

/** In a group only an owner may stop another person's work. Reports and reminders are never stopped. */
export function createInterruptTurn(parts: {
  readonly store: Store;
  readonly inbox: Pick<InboxDispatcher, "abort" | "findCurrent">;
  /** Ends the commands that outlive the call that started them. */
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
    // Another row may have started by now.
    if (inbox.abort(item.session, ({ id }) => id === running.id)) parts.endFollowed(item.session);
  };
}
