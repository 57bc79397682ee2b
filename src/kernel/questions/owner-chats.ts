import type { Kysely } from "kysely";
import { consoleOwner } from "../../core/own-platforms.ts";
import { listPrivateChats } from "../../store/queries/private-chats.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Roles } from "../people/find-role.ts";

/**
 * The private sessions in which owners wrote last, for a question of `asked`. People who are no longer owners are left out.
 * Own chats of the web console get only their own questions: whoever asked elsewhere may be the very owner who sits there,
 * which its cards know and its words do not.
 */
export type ListOwnerChats = (db: Kysely<Database>, asked: string) => Promise<readonly string[]>;

export function createListOwnerChats(roles: Pick<Roles, "base">): ListOwnerChats {
  return async (db, asked) => {
    const sessions: string[] = [];
    for (const { person, session } of await listPrivateChats(db)) {
      if (person === consoleOwner && session !== asked) continue;
      const [platform = "", ...user] = person.split(":");
      if ((await roles.base(platform, user.join(":"), db)) === "owner") sessions.push(session);
    }
    return sessions;
  };
}
