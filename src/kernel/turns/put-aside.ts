import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { finishOutboxItem } from "../../store/queries/outbox.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Clock } from "../../core/clock.ts";
import type { FindVoice } from "../tools/persona-wrapper.ts";
import { queueMessage, type Outbox } from "../outbox/outbox.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import type { Fault, PutAside } from "../recovery/settle-death.ts";
import { toAddress } from "../../channels/to-address.ts";
import { causeOf } from "../lanes/jobs.ts";
import type { InboundMessage, OutboundMessage } from "../../channels/types.ts";

/** A notice that cannot be sent gets no notice about that. */
const suffix = ".aside";

/** Ends a row that cannot be processed, with a notice to its chat and an audit row. */
export function createPutAside(parts: {
  readonly store: Store;
  readonly outbox: Pick<Outbox, "wake">;
  /** Ends the turn of the row with the notice of a failed turn. Returns false when it has none. */
  readonly failTurn: (item: InboxItem, fault: Fault) => Promise<boolean>;
  readonly hooks: Pick<CallHooks, "findJob">;
  readonly voice: FindVoice;
  readonly clock: Clock;
}): PutAside {
  const { store, outbox, clock } = parts;

  async function write(
    about: {
      readonly id: string;
      readonly session: string;
      readonly cause: string | null;
      readonly replyTo?: string;
      readonly silent?: boolean;
    },
    { code, reason }: Fault,
    end: (db: Store["main"]) => Promise<void>,
  ): Promise<void> {
    const { id, cause, replyTo } = about;
    await store.main.transaction().execute(async (tx) => {
      const session = await findSession(tx, about.session);
      await end(tx);
      await appendAudit(tx, {
        actor: "gateway",
        action: "row.put_aside",
        session: about.session,
        detail: { row: id, code, reason },
        now: clock.now(),
      });
      if (!session || about.silent) return;
      const language = session.language as Language;
      const words = wordsFor(language).turn;
      const text = parts
        .voice(session.id)
        .error({ chat: session.id, language }, (code === "INTERNAL" ? words.failed : words.putAside)(id));
      const notice = { id: `${id}${suffix}`, kind: "notice", address: toAddress(session), text, plain: true } as const;
      await queueMessage(
        tx,
        { ...notice, error: { code }, ...(cause !== null && { cause }), ...(replyTo !== undefined && { replyTo }) },
        clock.now(),
      );
    });
    outbox.wake(about.session);
  }

  return {
    async item(item, fault) {
      const { id, kind, session } = item;
      if (await parts.failTurn(item, fault)) return;
      const message = kind === "message" ? (JSON.parse(item.payload) as InboundMessage) : undefined;
      const replyTo = message?.chatKind === "group" ? { replyTo: message.messageId } : {};
      // An internal job whose turn has ended has nothing to report.
      const job = parts.hooks.findJob(kind);
      const silent =
        kind === "resume" || kind === "task" || (job !== undefined && "work" in job && job.silent === true);
      await write({ id, session, cause: causeOf(item), ...replyTo, silent }, fault, (tx) =>
        setInboxState(tx, id, "dead", clock.now()),
      );
    },
    async message(message, fault) {
      const { id, session, cause } = message;
      const { replyTo } = JSON.parse(message.payload) as OutboundMessage;
      const reply = replyTo === undefined ? {} : { replyTo };
      await write({ id, session, cause, ...reply, silent: id.endsWith(suffix) }, fault, (tx) =>
        finishOutboxItem(tx, id, "dead", fault.reason, clock.now()),
      );
    },
  };
}
