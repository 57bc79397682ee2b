import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** Ends what the process before this one left running in sessions that begin so. Who waited for it is gone. */
export async function endServedTurns(db: Kysely<Database>, sessions: string, now: number): Promise<void> {
  await db
    .updateTable("turns")
    .set((expression) => ({
      state: "ended",
      outcome: "failed",
      token: expression("token", "+", 1),
      updated_at: now,
    }))
    .where("state", "=", "running")
    .where("session", "like", `${sessions}%`)
    .execute();
}
