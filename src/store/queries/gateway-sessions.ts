import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** The end of a bot's last connection to its platform. */
interface StoredSession {
  readonly session: string;
  /** Sequence number of the newest event that is stored. */
  readonly seq: number;
}

export async function findGatewaySession(db: Kysely<Database>, account: string): Promise<StoredSession | undefined> {
  return db.selectFrom("gateway_sessions").select(["session", "seq"]).where("account", "=", account).executeTakeFirst();
}

/** Undefined when the platform does not know the session any more. */
export async function saveGatewaySession(
  db: Kysely<Database>,
  account: string,
  state: StoredSession | undefined,
): Promise<void> {
  if (state === undefined) {
    await db.deleteFrom("gateway_sessions").where("account", "=", account).execute();
    return;
  }
  await db
    .insertInto("gateway_sessions")
    .values({ account, ...state })
    .onConflict((conflict) => conflict.column("account").doUpdateSet(state))
    .execute();
}
