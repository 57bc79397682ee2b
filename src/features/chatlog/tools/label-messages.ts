import type { Language, Taint } from "../../../core/conversation.ts";
import { readLogChats } from "../queries/chat-log-people.ts";
import type { OpenLog } from "./open-log.ts";
import { joinSources, joinTaint } from "../../../core/taint.ts";
import { wordsFor } from "../../../core/words/words.ts";
import type { LogChat, LogMessage } from "../queries/chat-log.ts";

/**
 * The label of messages of the log for who reads them, by the rule of kernel/agent/history-label.ts: their own words keep theirs,
 * an owner's expose, everything else was never said by this person. Her answers in a private chat are as trusted as they were.
 */
export function labelMessages(
  messages: readonly LogMessage[],
  reader: {
    readonly accounts: readonly string[];
    readonly chats: ReadonlyMap<number, LogChat>;
    readonly language: Language;
    /** The label of the turn so far. */
    readonly taint: Taint;
  },
): { readonly taint: Taint; readonly sources: readonly string[] } {
  const words = wordsFor(reader.language).sources;
  const labels = messages.map(({ chat, role, sender, taint }): { taint: Taint; source?: string } => {
    const source = role === "her" ? words.earlier : words.messageOf({ name: sender.name });
    if (taint === "untrusted") return { taint, source };
    if (role === "her") return reader.chats.get(chat)?.kind === "private" ? { taint } : { taint: "untrusted", source };
    if (reader.accounts.includes(sender.person)) return { taint };
    return taint === "owner" ? { taint: "exposed" } : { taint: "untrusted", source };
  });
  return {
    taint: joinTaint(reader.taint, ...labels.map((label) => label.taint)),
    sources: joinSources(labels.flatMap(({ source }) => (source === undefined ? [] : [source]))),
  };
}

/** The label of what was made from messages: of their words nothing may pass for the asker's. */
export async function labelMade(
  { accounts, db }: OpenLog,
  messages: readonly LogMessage[],
  context: { readonly language: Language; readonly taint: Taint },
) {
  const chats = await readLogChats(db, [...new Set(messages.map(({ chat }) => chat))]);
  return labelMessages(messages, { ...context, accounts, chats: new Map(chats.map((chat) => [chat.id, chat])) });
}
