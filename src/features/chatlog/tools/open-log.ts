import type { Kysely } from "kysely";
import { z } from "zod";
import { findReadableChats } from "../log-scope.ts";
import { findSenders, type FoundSenders } from "../find-senders.ts";
import { nameChat } from "../name-places.ts";
import { foldText } from "../../../store/search/fold-text.ts";
import { readLogChats } from "../queries/chat-log-people.ts";
import { servedPlatform } from "../../../core/served-platform.ts";
import type { Language } from "../../../core/conversation.ts";
import type { Models } from "../../../models/types.ts";
import { listActingAccounts } from "../../../store/queries/account-links.ts";
import { findAskedAt } from "../../../store/queries/turns.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { ToolContext } from "../../../kernel/tools/types.ts";

/** The parts of the tools that read the chat log. */
export interface ChatLogParts {
  readonly database: () => Kysely<Database>;
  /** The person whose chats other agents see over MCP; empty = none. */
  readonly servedAs: () => string;
  /** In private a group's log is read by those who spoke there since then, milliseconds since 1970. */
  readonly spokenSince: () => number;
  /** The models of the tier small, within the limits of the paying person. */
  readonly smallModel: () => Models;
  /** Her names, the first in the given language. */
  readonly herNames: (session: string, language: Language) => readonly string[];
}

/** The parts for tools that ask no model. */
export type LogParts = Omit<ChatLogParts, "smallModel">;

/** The log as far as one asker may read it. */
export interface OpenLog {
  readonly db: Kysely<Database>;
  readonly chats: readonly number[];
  /** The asker's accounts: words of these are their own. */
  readonly accounts: readonly string[];
  readonly her: string;
  /** Searches cover what was said until then: the question itself is no answer. */
  readonly to: number;
  readonly find: (person: string) => Promise<FoundSenders>;
}

type Asker = Pick<ToolContext, "chatKind" | "language" | "person" | "session" | "turn">;

interface Refusal {
  readonly ok: false;
  readonly error: string;
}

/** The argument that limits a search to one chat. */
export const chatArgument = z
  .string()
  .max(100)
  .optional()
  .describe("Only in the chat of this name, when the question names a group.");

/** Every tool opens the log by this; where the place is not known, it counts as a group. */
export async function openLog(
  { database, herNames, servedAs, spokenSince }: LogParts,
  { chatKind = "group", language, person: { id, role }, session, turn }: Asker,
  /** The name of the only chat to look into; "" = all. */
  chat: string,
): Promise<Refusal | { readonly ok: true; readonly log: OpenLog }> {
  if (role === "guest")
    return { ok: false, error: "Guests may not look into the chat log; an owner has to let them in first." };
  const person = id.startsWith(`${servedPlatform}:`) ? servedAs() : id;
  if (person === "")
    return {
      ok: false,
      error: "Nobody's chats are shown over MCP; the operator names a person as served.person in memory.yaml.",
    };
  const db = database();
  const accounts = await listActingAccounts(db, person);
  const readable = await findReadableChats(db, {
    person,
    accounts,
    role,
    session,
    chatKind,
    spokenSince: spokenSince(),
  });
  // In a group only that group can be searched, whatever name is given.
  const chats = chat.trim() === "" || chatKind === "group" ? readable : await findChatsCalled(db, readable, chat);
  if (chats.length === 0 && readable.length > 0)
    return {
      ok: false,
      error: `No chat that this person may look into is called "${chat.trim()}"; get_chatlog_stats lists their names. Leave chat out to look into all.`,
    };
  const her = herNames(session, language);
  const to = ((await findAskedAt(db, turn)) ?? Number.MAX_SAFE_INTEGER) - 1;
  const find = (name: string) => findSenders(db, chats, { person: name, accounts, her });
  return { ok: true, log: { db, chats, accounts, her: her[0] ?? "", to, find } };
}

/** The chats whose name holds the given one, without the word for a group. */
async function findChatsCalled(
  db: Kysely<Database>,
  chats: readonly number[],
  name: string,
): Promise<readonly number[]> {
  const called = await readLogChats(db, chats);
  const asked = foldText(name).trim();
  const short = ["群聊", "群组", "群", " group", " chat", "グループ"]
    .map(foldText)
    .reduce(
      (left, word) => (left.length > word.length && left.endsWith(word) ? left.slice(0, -word.length) : left),
      asked,
    );
  for (const wanted of [asked, short]) {
    const found = called.filter((one) => foldText(nameChat(one)).includes(wanted));
    if (found.length > 0) return found.map(({ id }) => id);
  }
  return [];
}

/** Numbers of the senders that one name means; names of others are in the refusal, so it is labelled as they are. */
export async function findOne(
  log: OpenLog,
  name: string,
): Promise<
  | (Refusal & { readonly taint?: "untrusted" })
  | {
      readonly ok: true;
      readonly senders: readonly number[];
      readonly names: readonly string[];
      readonly people: readonly string[];
    }
> {
  const found = await log.find(name);
  switch (found.kind) {
    case "found": {
      const { senders } = found;
      return {
        ok: true,
        senders: senders.map(({ id }) => id),
        names: [...new Set(senders.map((one) => one.name))],
        people: senders.flatMap(({ person }) => (person === "" ? [] : [person])),
      };
    }
    case "none":
      return {
        ok: false,
        error: `Nobody called "${name}" has said anything in the chats that this person may look into; get_chatlog_stats lists who has.`,
      };
    case "several":
      return {
        ok: false,
        taint: "untrusted",
        error: `Several people are called that: ${found.names.join(", ")}. Name one of them with the # and what follows.`,
      };
  }
}

/** A list of words as people and models write it: trimmed, each once. */
export function readWords(words: readonly string[]): readonly string[] {
  return [...new Set(words.map((word) => word.replaceAll(/\s+/g, " ").trim()).filter((word) => word !== ""))];
}
