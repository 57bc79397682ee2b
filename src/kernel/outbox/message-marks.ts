import type { Logger } from "pino";
import { describeError } from "../../core/errors.ts";
import type { TurnInput } from "../agent/types.ts";
import { findInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import { findSession } from "../../store/queries/sessions.ts";
import { listSteeredRows } from "../../store/queries/steered-messages.ts";
import { findTurn, type TurnOutcome } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import { toAddress } from "../../channels/to-address.ts";
import type { Channel, InboundMessage, Mark } from "../../channels/types.ts";

/**
 * Marks the message that a turn answers, in groups only: a private chat needs no mark. Its methods neither throw nor
 * wait.
 */
export interface MessageMarks {
  /** A turn will answer the message. */
  take(item: InboxItem, message: InboundMessage): void;
  /** A turn may have ended: marks its message with the outcome. */
  follow(turn: string): void;
}

const marks: Readonly<Record<TurnOutcome, Mark>> = {
  replied: "done",
  failed: "failed",
  stopped: "none",
  expired: "none",
  cancelled: "none",
};
const maxMarked = 1_000;

export function createMessageMarks(parts: {
  readonly store: Store;
  readonly findChannel: (platform: string) => Channel | undefined;
  /** Start of this process; older messages may have a mark from the last one. */
  readonly startedAt: number;
  readonly log: Logger;
}): MessageMarks {
  const { store, findChannel, log } = parts;
  /** Rows whose message has a mark, or will get one. */
  const marked = new Set<string>();

  async function markEnd(id: string): Promise<void> {
    const turn = await findTurn(store.main, id);
    if (turn?.state !== "ended" || turn.outcome === null || turn.kind !== "chat") return;
    const joined = await listSteeredRows(store.main, [id]);
    for (const row of joined) marked.delete(row);
    const isOurs = marked.delete(turn.inbox);
    if (!isOurs && turn.createdAt >= parts.startedAt) return;
    const { chatKind, replyTo } = JSON.parse(turn.input) as TurnInput;
    const session = chatKind === "group" ? await findSession(store.main, turn.session) : undefined;
    if (session === undefined || replyTo === undefined) return;
    const channel = findChannel(session.platform);
    for (const message of [replyTo, ...(await listMessageIds(joined))])
      await channel?.react?.(toAddress(session), message, marks[turn.outcome]);
  }

  async function listMessageIds(rows: readonly string[]): Promise<readonly string[]> {
    const items = await Promise.all(rows.map((row) => findInboxItem(store.main, row)));
    return items.flatMap((item) => (item ? [(JSON.parse(item.payload) as InboundMessage).messageId] : []));
  }

  const note = (error: unknown): void => log.debug({ reason: describeError(error) }, "a message was not marked");

  return {
    take(item, { address, chatKind, messageId }) {
      const channel = findChannel(address.platform);
      if (chatKind !== "group" || channel?.react === undefined) return;
      marked.add(item.id);
      const [oldest] = marked;
      if (marked.size > maxMarked && oldest !== undefined) marked.delete(oldest);
      channel.react(address, messageId, "seen").catch(note);
    },
    follow: (turn) => void markEnd(turn).catch(note),
  };
}
