import type { Kysely } from "kysely";
import { findLogChats } from "./queries/chat-log.ts";
import type { Database } from "../../store/schema/database.ts";

/** The person who searches the chat log, and where they ask. */
export interface LogReader {
  /** `<platform>:<platform's user id>` */
  readonly person: string;
  /** Their accounts that share what is private with the one that asks (`listActingAccounts`). */
  readonly accounts: readonly string[];
  readonly role: "owner" | "trusted" | "member" | "guest";
  readonly session: string;
  readonly chatKind: "private" | "group";
  /** In private: groups where they spoke since then, milliseconds since 1970. */
  readonly spokenSince: number;
}

/** Owners may read imports that have no other reader. */
const ownersWord = "owners";

/**
 * The chats of the log that a person may read, in one place for every search: in a group that group's alone, because
 * all its members read along; in private those they took part in, groups as long as they have spoken there lately and
 * not left. Guests read nothing.
 */
export async function findReadableChats(db: Kysely<Database>, reader: LogReader): Promise<readonly number[]> {
  const { accounts, chatKind, person, role, session, spokenSince } = reader;
  if (role === "guest") return [];
  const readers = [...new Set([person, ...accounts]), ...(role === "owner" ? [ownersWord] : [])];
  const chats = await findLogChats(db, chatKind === "group" ? { sessions: [session] } : { readers, spokenSince });
  return chats.map(({ id }) => id);
}
