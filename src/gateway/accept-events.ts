import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Language } from "../core/conversation.ts";
import { insertInboxItem, type InboxItem } from "../store/queries/inbox.ts";
import { ensureSession } from "../store/queries/sessions.ts";
import type { Store } from "../store/open-store.ts";
import { toInboxId, toSessionId } from "./session-id.ts";
import type { InboundEvent } from "./types.ts";

/** Stores a batch in one transaction and answers what was new in it; the platform is told only after that. */
export type AcceptEvents = (events: readonly InboundEvent[]) => Promise<readonly InboxItem[]>;

export function createAcceptEvents(parts: {
  readonly store: Store;
  /** Of chats that are new. */
  readonly language: Language;
  readonly clock: Clock;
  readonly log: Logger;
}): AcceptEvents {
  const { store, language, clock, log } = parts;
  return (events) =>
    store.main.transaction().execute(async (tx) => {
      const items: InboxItem[] = [];
      for (const event of events) {
        if (event.kind === "ignored") {
          log.debug({ key: event.key, rule: event.rule }, "an event was ignored");
          continue;
        }
        const { platform, account, chat, thread } = event.address;
        const now = clock.now();
        const session = toSessionId(event.address);
        const chatKind = event.kind === "message" ? event.chatKind : "private";
        await ensureSession(tx, { id: session, platform, account, chat, thread, chatKind, language, now });
        const item = await insertInboxItem(tx, {
          id: toInboxId(event.address, event.key),
          platform,
          account,
          eventKey: event.key,
          session,
          kind: event.kind,
          state: "received",
          payload: JSON.stringify(event),
          now,
        });
        if (item) items.push(item);
      }
      return items;
    });
}
