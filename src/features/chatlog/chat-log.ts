import type { Kysely } from "kysely";
import type { InboundMessage, MemberLeft } from "../../channels/types.ts";
import { toPersonId } from "../../channels/session-id.ts";
import type { Clock } from "../../core/clock.ts";
import type { Taint } from "../../core/conversation.ts";
import type { Person } from "../../kernel/gate/types.ts";
import { amendInLog } from "./queries/append-to-log.ts";
import { withdrawFromLog } from "./queries/chat-log.ts";
import { endLogReading } from "./queries/log-readers.ts";
import { logSaid, markLogQuestions, nameLogChat } from "./queries/log-said.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import { deleteDerivedData } from "./queries/delete-derived-data.ts";
import type { Database } from "../../store/schema/database.ts";

/** The talk in her chats, to be searched later. Each writes in the transaction it is given: once, or not at all. */
export interface ChatLog {
  /** `words` = what the person wrote or said; none of it is kept where it is not their own talk. */
  hear(
    db: Kysely<Database>,
    heard: {
      /** The row of the inbox. */
      readonly item: Pick<InboxItem, "createdAt" | "session">;
      readonly message: InboundMessage;
      readonly person: Person;
      readonly words: string;
      readonly taint: Taint;
    },
  ): Promise<void>;
  /** Her own words; `id` = the row of the outbox. */
  say(
    db: Kysely<Database>,
    said: { readonly session: string; readonly id: string; readonly text: string; readonly taint: Taint },
  ): Promise<void>;
  /**
   * The turn's message only asked the log: neither it nor her answer counts as talk of what it asked for. Her receipts and lists
   * count as none, either.
   */
  ask(
    db: Kysely<Database>,
    asked: { readonly item: InboxItem; readonly answer: string; readonly tools: readonly string[] },
  ): Promise<void>;
  /** The person wrote another text in its place. */
  amend(db: Kysely<Database>, session: string, message: InboundMessage, person: Person): Promise<void>;
  /** The author withdrew the message. */
  withdraw(db: Kysely<Database>, session: string, messageId: string): Promise<void>;
  /** A member left the group, and can read it nowhere until they speak there again. */
  leave(db: Kysely<Database>, item: Pick<InboxItem, "createdAt">, event: MemberLeft): Promise<void>;
}

/** A message that waited at the platform for longer is placed at the time it was written. */
const lateMs = 60_000;

export function createChatLog(parts: { readonly isOn: () => boolean; readonly clock: Clock }): ChatLog {
  const { clock, isOn } = parts;
  // Platforms report whole seconds: simultaneous messages are ordered by arrival.
  const findTime = ({ sentAt }: Pick<InboundMessage, "sentAt">, createdAt: number): number =>
    sentAt > 0 && sentAt < createdAt - lateMs ? sentAt : createdAt;
  return {
    async hear(db, { item, message, person, taint, words }) {
      const text = words.trim() === "" ? nameFiles(message) : words;
      // An order by a command, and the opening of a chat, are no talk.
      if (!isOn() || text === "" || message.ordered !== undefined || message.opening) return;
      const { createdAt, session } = item;
      const saidAt = findTime(message, createdAt);
      const sender = { person: person.id, name: message.sender.name };
      await logSaid(db, { session, sender, role: "person", text, taint, key: message.messageId, saidAt });
      if (message.chatTitle !== undefined) await nameLogChat(db, session, message.chatTitle);
    },
    async say(db, { id, session, taint, text }) {
      if (!isOn() || text.trim() === "") return;
      const sender = { person: "", name: "" };
      const said = { session, sender, role: "her", text: text.trim(), taint } as const;
      await logSaid(db, { ...said, key: id, saidAt: clock.now() });
    },
    async ask(db, { answer, item, tools }) {
      const isSearch = tools.some((tool) => logTools.has(tool));
      if (!isSearch && !(tools.length > 0 && tools.every((tool) => recordTools.has(tool)))) return;
      if (!isSearch) return markLogQuestions(db, item.session, [answer]);
      const question = item.kind === "message" ? (JSON.parse(item.payload) as InboundMessage) : undefined;
      const keys = question !== undefined && onlyAsks(question.text) ? [answer, question.messageId] : [answer];
      await markLogQuestions(db, item.session, keys);
    },
    // Logged messages are changed and taken out even when nothing new is kept.
    amend: (db, session, { messageId: message, text }, person) =>
      atOnce(db, async (tx) => {
        await deleteDerivedData(tx, { session, message, person: person.id, instead: text, now: clock.now() });
        await amendInLog(tx, { session, message, person: person.id, text });
      }),
    withdraw: (db, session, message) =>
      atOnce(db, async (tx) => {
        await deleteDerivedData(tx, { session, message, now: clock.now() });
        await withdrawFromLog(tx, session, message);
      }),
    leave(db, { createdAt }, event) {
      const { account, chat, platform } = event.address;
      const person = toPersonId(platform, event.sender.id);
      return endLogReading(db, { platform, account, chat, person }, findTime(event, createdAt));
    },
  };
}

function atOnce(db: Kysely<Database>, work: (tx: Kysely<Database>) => Promise<void>): Promise<void> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

const logTools: ReadonlySet<string> = new Set([
  "search_by_keywords",
  "search_by_topics",
  "search_person",
  "search_semantic",
  "load_messages",
  "list_topics",
  "filter_by_person",
  "format_messages",
]);

/**
 * An answer that only used these is a receipt, a list or a recital of what is kept: it quotes the person and adds
 * nothing.
 */
const recordTools: ReadonlySet<string> = new Set([
  "remember",
  "recall_memory",
  "list_memories",
  "forget",
  "get_user_profile",
  "todo",
  "remind",
  "list_reminders",
  "cancel_reminder",
  "list_missed",
  "get_chatlog_stats",
  "expand_query",
]);

const maxQuestionLength = 80;

/** True for a single sentence that states nothing else: 「我要搬去京都。谁提到过京都？」 counts as talk, too. */
export function onlyAsks(said: string): boolean {
  const text = said.trim().replace(/[\s。！？!?.…~～]{1,20}$/u, "");
  if (text.length > maxQuestionLength || /[。！？!?;；:：\n]|\.\s/.test(text)) return false;
  return text.split(/[，,、]/).every((part, index, all) => index === all.length - 1 || isCall.test(part.trim()));
}

/** Calls her or opens a sentence, and does not mention the speaker. */
const isCall = /^(?!.*(?:[我咱私僕俺]|\b(?:i|my|me|we)\b)).{0,12}$/iu;

function nameFiles({ attachments }: InboundMessage): string {
  return attachments.flatMap(({ name }) => (name === undefined ? [] : [name])).join(" ");
}
