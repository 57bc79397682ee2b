import type { Kysely } from "kysely";
import { findRole } from "../../store/queries/people.ts";
import { listPrivateChats } from "../../store/queries/private-chats.ts";
import type { Database } from "../../store/schema/database.ts";

/** Sessions in which owners wrote last in private; who is no owner any more is left out. */
export type ListOwnerChats = (db: Kysely<Database>) => Promise<readonly string[]>;

/** `owners` = those that the configuration names. */
export function createListOwnerChats(owners: readonly string[]): ListOwnerChats {
  return async (db) => {
    const sessions: string[] = [];
    for (const { person, session } of await listPrivateChats(db)) {
      const isOwner = person === "cli:owner" || owners.includes(person) || (await findRole(db, person)) === "owner";
      if (isOwner) sessions.push(session);
    }
    return sessions;
  };
}
