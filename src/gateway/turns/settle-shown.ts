import type { Kysely } from "kysely";
import { dropLiveOutboxItem } from "../../store/queries/outbox.ts";
import type { Database } from "../../store/schema/database.ts";
import { toAddress } from "../../channels/to-address.ts";
import { tameLinks } from "../../channels/markdown/tame-links.ts";
import { queueMessage } from "../outbox/outbox.ts";
import type { OutboundMessage } from "../../channels/types.ts";
import type { TurnAtWork } from "./turn-at-work.ts";

/** A message of a turn, to where it was asked. */
export function outbound(
  work: TurnAtWork,
  message: Pick<OutboundMessage, "id" | "kind" | "text" | "plain">,
): OutboundMessage {
  const { cause, input, session, shownTurn } = work;
  const replyTo = input.replyTo === undefined ? {} : { replyTo: input.replyTo };
  return { ...message, address: toAddress(session), turn: shownTurn, cause, ...replyTo };
}

/** What she said before she had to wait stands for itself. In somebody's transaction. */
export async function settleShown(
  tx: Kysely<Database>,
  work: TurnAtWork,
  /** `linked`: web addresses that may stand as links. */
  shown: { readonly text: string; readonly linked: readonly string[] },
  now: number,
): Promise<void> {
  const text = tameLinks(shown.text.trim(), shown.linked);
  if (text === "") return dropLiveOutboxItem(tx, work.outboxId, now);
  const said = outbound(work, { id: work.outboxId, kind: "notice", text, plain: false });
  await queueMessage(tx, { ...said, partial: true }, now);
}
