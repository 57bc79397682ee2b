import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { languageOfLocale } from "../../core/words/detect-language.ts";
import { insertInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import { hasSessionOfChat } from "../../store/queries/chat-moves.ts";
import { ensureSession, findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import { toInboxId, toRequester, toSessionId } from "../../channels/session-id.ts";
import type { InboundEvent, StoredEvent } from "../../channels/types.ts";

/**
 * Stores a batch in one transaction and returns its new rows. The platform gets its acknowledgement only after that.
 */
export type AcceptEvents = (events: readonly InboundEvent[]) => Promise<readonly InboxItem[]>;

export function createAcceptEvents(parts: {
  readonly store: Store;
  /** The language of a new chat when the platform does not report the person's own. */
  readonly language: () => Language;
  readonly clock: Clock;
  readonly log: Logger;
}): AcceptEvents {
  const { store, language, clock, log } = parts;
  /** The last batch of each session. A later one is stored after it, so that messages keep their order. */
  const last = new Map<string, Promise<readonly InboxItem[]>>();

  return async (events) => {
    const sessions = new Set(events.flatMap((event) => (event.kind === "ignored" ? [] : toSessionId(event.address))));
    const before = Promise.allSettled([...sessions].flatMap((session) => last.get(session) ?? []));
    const work = before.then(() => storeBatch(events));
    for (const session of sessions) last.set(session, work);
    try {
      return await work;
    } finally {
      for (const session of sessions) if (last.get(session) === work) last.delete(session);
    }
  };

  function storeBatch(events: readonly InboundEvent[]): Promise<readonly InboxItem[]> {
    return store.main.transaction().execute(async (tx) => {
      const items: InboxItem[] = [];
      await ensureSessions(tx, events);
      for (const event of events) {
        if (event.kind === "ignored") {
          log.debug({ key: event.key, rule: event.rule }, "an event was ignored");
          continue;
        }
        const { platform, account } = event.address;
        // We never sent anything to a chat without a session: the event is forged, or belongs to another installation.
        if (event.kind !== "message" && !(await isKnown(tx, event))) {
          log.debug({ key: event.key, kind: event.kind }, "an event in a chat without a session was ignored");
          continue;
        }
        const item = await insertInboxItem(tx, {
          id: toInboxId(event.address, event.key),
          platform,
          account,
          eventKey: event.key,
          session: toSessionId(event.address),
          requester: event.kind === "message" ? toRequester(event) : null,
          kind: event.kind,
          state: "received",
          payload: JSON.stringify(event),
          now: clock.now(),
        });
        if (item) items.push(item);
      }
      return items;
    });
  }

  /**
   * Locks every session of the batch first, each once and in a fixed order, so that two batches cannot deadlock. Only a
   * message creates a session, because only it says whether the chat is a group.
   */
  async function ensureSessions(tx: Kysely<Database>, events: readonly InboundEvent[]): Promise<void> {
    const accepted = events.filter((event) => event.kind === "message");
    const firsts = new Map(accepted.toReversed().map((event) => [toSessionId(event.address), event]));
    for (const [id, event] of [...firsts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const { platform, account, chat, thread } = event.address;
      const { chatKind } = event;
      const own = languageOfLocale(event.sender.locale);
      await ensureSession(tx, {
        id,
        platform,
        account,
        chat,
        thread,
        chatKind,
        language: own ?? language(),
        now: clock.now(),
      });
    }
  }
}

/** These events concern the whole chat, and any of its topics makes it known. */
async function isKnown(db: Kysely<Database>, { kind, address }: StoredEvent): Promise<boolean> {
  if (kind === "chat" || kind === "left") return hasSessionOfChat(db, address);
  // A person who requests contact has no chat with us yet.
  if (kind === "request") return true;
  return (await findSession(db, toSessionId(address))) !== undefined;
}
