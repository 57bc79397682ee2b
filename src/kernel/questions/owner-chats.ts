import type { Kysely } from "kysely";
import { listPrivateChats } from "../../store/queries/private-chats.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Roles } from "../people/find-role.ts";

/** The private sessions in which owners wrote last. People who are no longer owners are left out. */
export type ListOwnerChats = (db: Kysely<Database>) => Promise<readonly string[]>;

export function createListOwnerChats(roles: Pick<Roles, "base">): ListOwnerChats {
  return async (db) => {
    const sessions: string[] = [];
    for (const { person, session } of await listPrivateChats(db)) {
      const [platform = "", ...user] = person.split(":");
      if ((await roles.base(platform, user.join(":"), db)) === "owner") sessions.push(session);
    }
    return sessions;
  };
}
