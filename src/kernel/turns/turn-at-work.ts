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

/** Everything about the turn at hand that its end needs. */
export interface TurnAtWork {
  readonly item: InboxItem;
  readonly input: TurnInput;
  readonly lease: TurnLease;
  readonly session: SessionRow;
  /** The inbox row whose sender waits for what comes of it. */
  readonly cause: string;
  /** The question whose answer brought the turn back. */
  readonly answered: Question | undefined;
  /** The outbox row its reply goes into; the same after a crash. Of a task: the start of its view's. */
  readonly outboxId: string;
  /** The platform's id of what is shown of the reply already; null = nothing is, undefined = that is not known. */
  readonly preview: string | null | undefined;
  /** How many messages that showed it were taken out of the chat when no model answered. */
  readonly views: number;
  /** It was parked before: no process died while it asked. */
  readonly rested: boolean;
  /** The turn is a sub-agent's. */
  readonly task: TurnRow | undefined;
  /** The turn that people see at work: of a task that is waited for, its parent. */
  readonly shownTurn: string;
}

/** The start of the name of the row that a turn's tasks show themselves in, by the round that started them. */
export function nameTaskView({ parent, parentCall }: TurnRow): string {
  return `${parent}.r${parentCall?.split(".")[0]}`;
}

/** A message of a turn, to where it was asked. */
export function outbound(
  work: TurnAtWork,
  message: Pick<OutboundMessage, "id" | "kind" | "text" | "plain">,
): OutboundMessage {
  const { cause, input, session, shownTurn } = work;
  const replyTo = input.replyTo === undefined ? {} : { replyTo: input.replyTo };
  return { ...message, address: toAddress(session), turn: shownTurn, cause, ...replyTo };
}

/** Settles her words from before the wait as a message of their own. In the caller's transaction. */
export async function settleShown(
  tx: Kysely<Database>,
  work: TurnAtWork,
  /** `linked`: web addresses that may stand as links. */
  shown: { readonly text: string; readonly linked: readonly string[]; readonly taint: Taint },
  { hooks, now }: { readonly hooks: Pick<CallHooks, "said">; readonly now: number },
): Promise<void> {
  const text = tameLinks(shown.text.trim(), shown.linked);
  if (text === "") return dropLiveOutboxItem(tx, work.outboxId, now);
  const said = outbound(work, { id: work.outboxId, kind: "notice", text, plain: false });
  await queueMessage(tx, { ...said, partial: true }, now);
  await hooks.said(tx, { session: work.session.id, id: work.outboxId, text: shown.text, taint: shown.taint });
}
