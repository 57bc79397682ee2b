import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** Takes an open question that has time left, so that simultaneous votes are counted one after the other. */
export async function lockOpenQuestion(db: Kysely<Database>, id: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable("questions")
    .set({ state: "open" })
    .where("id", "=", id)
    .where("state", "=", "open")
    .where("deadline", ">", now)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Records one approval of a question that needs several. False when this person has approved already. */
export async function insertVote(
  db: Kysely<Database>,
  vote: {
    readonly question: string;
    readonly person: string;
    readonly name: string;
    readonly how: string;
    readonly now: number;
  },
): Promise<boolean> {
  const { now, ...given } = vote;
  const row = await db
    .insertInto("votes")
    .values({ ...given, voted_at: now })
    .onConflict((conflict) => conflict.columns(["question", "person"]).doNothing())
    .returning("person")
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes back what these people said. */
export async function deleteVotes(db: Kysely<Database>, question: string, people: readonly string[]): Promise<void> {
  if (people.length === 0) return;
  await db.deleteFrom("votes").where("question", "=", question).where("person", "in", people).execute();
}

/** The accounts that said yes. */
export async function listVoters(db: Kysely<Database>, question: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("votes")
    .select("person")
    .where("question", "=", question)
    .orderBy("voted_at")
    .execute();
  return rows.map(({ person }) => person);
}
