import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import { setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import { toAddress } from "../../channels/to-address.ts";
import type { FindVoice } from "../tools/persona-wrapper.ts";
import { queueMessage, type Outbox } from "./outbox.ts";
import type { Told } from "./tell-as.ts";
import type { InboundMessage, OutboundMessage } from "../../channels/types.ts";

/** A text, or one with additions. */
export type Said = string | (Told & Pick<OutboundMessage, "choices" | "preformatted" | "turn">);

/** Replies that need no turn: a fixed text, and the end of the row it answers. */
export interface SystemReplies {
  /** Queues the text and ends the row in one transaction. `partial` means that the same message causes more replies. */
  answer(item: InboxItem, message: InboundMessage, said: Said, partial?: true): Promise<void>;
  /** The same in the caller's transaction; the caller wakes the outbox. */
  queue(db: Kysely<Database>, item: InboxItem, message: InboundMessage, said: Said, partial?: true): Promise<void>;
  /**
   * Queues only the text, because the row's reply follows. In the caller's transaction; the caller wakes the outbox.
   */
  say(db: Kysely<Database>, item: InboxItem, message: InboundMessage, text: string): Promise<void>;
  /** Ends the row without a reply. */
  finish(item: InboxItem): Promise<void>;
  /** Sends a text to another chat, in its language. */
  tell(id: string, session: string, text: (words: Words, language: Language) => Said): Promise<void>;
}

export function createSystemReplies(parts: {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly voice: FindVoice;
  readonly clock: Clock;
}): SystemReplies {
  const { store, outbox, clock } = parts;

  function put(said: Said, session: string): Omit<Exclude<Said, string>, "as"> {
    if (typeof said === "string") return { text: said };
    const { as, ...rest } = said;
    if (as === undefined) return rest;
    return {
      ...rest,
      text: parts.voice(session).tell({ chat: session, language: as.language }, as.situation, said.text),
    };
  }

  async function send(
    db: Kysely<Database>,
    item: InboxItem,
    message: InboundMessage,
    said: Said,
    partial?: true,
  ): Promise<OutboundMessage> {
    const replyTo = message.chatKind === "group" ? { replyTo: message.messageId } : {};
    const { address } = message;
    const id = `${item.id}.answer`;
    const notice = {
      id,
      kind: "notice",
      address,
      ...put(said, item.session),
      plain: true,
      cause: item.id,
      ...replyTo,
    } as const;
    await queueMessage(db, { ...notice, ...(partial && { partial }) }, clock.now());
    return notice;
  }

  async function end(
    db: Kysely<Database>,
    item: InboxItem,
    message: InboundMessage,
    said: Said,
    partial?: true,
  ): Promise<OutboundMessage> {
    const notice = await send(db, item, message, said, partial);
    await setInboxState(db, item.id, "done", clock.now());
    return notice;
  }

  return {
    async queue(...given) {
      await end(...given);
    },
    async say(db, item, message, text) {
      await send(db, item, message, text, true);
    },
    async answer(item, message, said, partial) {
      const notice = await store.main.transaction().execute((tx) => end(tx, item, message, said, partial));
      outbox.wake(item.session, notice);
    },
    async finish(item) {
      await setInboxState(store.main, item.id, "done", clock.now());
    },
    async tell(id, session, text) {
      const row = await findSession(store.main, session);
      if (!row) return;
      const language = row.language as Language;
      const said = put(text(wordsFor(language), language), session);
      const notice = { id, kind: "notice", address: toAddress(row), ...said, plain: true } as const;
      await queueMessage(store.main, notice, clock.now());
      outbox.wake(session);
    },
  };
}
