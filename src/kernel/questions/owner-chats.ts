import type { Kysely } from "kysely";
import { consoleOwner } from "../../core/own-platforms.ts";
import { listPrivateChats } from "../../store/queries/private-chats.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Roles } from "../people/find-role.ts";

/**
 * The private session in which each owner wrote last, for a question of the session `asked`. Omits people who are no
 * longer owners. A chat of the web console gets only its own questions: an answer in words there does not tell whether the
 * owner at the console is the person who asked elsewhere; the console's cards do.
 */
export type ListOwnerChats = (db: Kysely<Database>, asked: string) => Promise<readonly string[]>;

export function createListOwnerChats(roles: Pick<Roles, "base">): ListOwnerChats {
  return async (db, asked) => {
    const sessions: string[] = [];
    for (const { person, session } of await listPrivateChats(db)) {
      if (person === consoleOwner && session !== asked) continue;
      if ((await roles.base(person, db)) === "owner") sessions.push(session);
    }
    return sessions;
  };
}
