import type { TurnInput } from "../agent/types.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import type { TurnLease, TurnRow } from "../../store/queries/turns.ts";
import type { Kysely } from "kysely";
import type { Taint } from "../../core/conversation.ts";
import { dropLiveOutboxItem } from "../../store/queries/outbox.ts";
import type { Database } from "../../store/schema/database.ts";
import { toAddress } from "../../channels/to-address.ts";
import { tameLinks } from "../../channels/markdown/tame-links.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import { queueMessage } from "../outbox/outbox.ts";
import type { OutboundMessage } from "../../channels/types.ts";

/** Everything about the running turn that its end needs. */
export interface TurnAtWork {
  readonly item: InboxItem;
  readonly input: TurnInput;
  readonly lease: TurnLease;
  readonly session: SessionRow;
  /** The inbox row whose sender waits for the result. */
  readonly cause: string;
  /** The question whose answer resumed the turn. */
  readonly answered: Question | undefined;
  /** The outbox row of the reply, the same after a crash. For a task, the prefix of its view's row. */
  readonly outboxId: string;
  /**
   * The platform's id of the message that already shows the reply. null when none does; undefined when the row is
   * settled or the turn is not shown.
   */
  readonly preview: string | null | undefined;
  /** How many of its views were removed from the chat when no model answered. */
  readonly views: number;
  /** It was parked before: no process died during its last run. */
  readonly rested: boolean;
  /** The turn is a sub-agent's. */
  readonly task: TurnRow | undefined;
  /** The turn that people see running: for an awaited task, its parent. */
  readonly shownTurn: string;
}

/** The prefix of the row that shows a turn's tasks, by the round that started them. */
export function nameTaskView({ parent, parentCall }: TurnRow): string {
  return `${parent}.r${parentCall?.split(".")[0]}`;
}

/** Addresses a message of a turn to the chat of its request. */
export function outbound(
  work: TurnAtWork,
  message: Pick<OutboundMessage, "id" | "kind" | "text" | "plain">,
): OutboundMessage {
  const { cause, input, session, shownTurn } = work;
  const replyTo = input.replyTo === undefined ? {} : { replyTo: input.replyTo };
  return { ...message, address: toAddress(session), turn: shownTurn, cause, ...replyTo };
}

/** Sends the words from before the wait as a message of their own. Runs in the caller's transaction. */
export async function settleShown(
  tx: Kysely<Database>,
  work: TurnAtWork,
  /** `linked` lists the web addresses that may remain links. */
  shown: { readonly text: string; readonly linked: readonly string[]; readonly taint: Taint },
  { hooks, now }: { readonly hooks: Pick<CallHooks, "said">; readonly now: number },
): Promise<void> {
  const text = tameLinks(shown.text.trim(), shown.linked);
  if (text === "") return dropLiveOutboxItem(tx, work.outboxId, now);
  const said = outbound(work, { id: work.outboxId, kind: "notice", text, plain: false });
  await queueMessage(tx, { ...said, partial: true }, now);
  await hooks.said(tx, { session: work.session.id, id: work.outboxId, text: shown.text, taint: shown.taint });
}
