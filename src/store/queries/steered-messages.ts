import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** A turn took a message in: `words` is JSON of kernel/agent/types.ts: LaterWords. In the transaction that finishes its inbox row. */
export async function saveSteeredMessage(
  db: Kysely<Database>,
  { now, ...row }: { inbox: string; turn: string; ordinal: number; words: string; now: number },
): Promise<void> {
  await db
    .insertInto("steered_messages")
    .values({ ...row, created_at: now })
    .execute();
}

/** The words that a turn took in after the first `known`, in order. */
export async function listSteeredWords(db: Kysely<Database>, turn: string, known: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("steered_messages")
    .select("words")
    .where("turn", "=", turn)
    .where("ordinal", ">", known)
    .orderBy("ordinal")
    .execute();
  return rows.map(({ words }) => words);
}

/** The inbox rows that these turns took in. */
export async function listSteeredRows(db: Kysely<Database>, turns: readonly string[]): Promise<readonly string[]> {
  if (turns.length === 0) return [];
  const rows = await db.selectFrom("steered_messages").select("inbox").where("turn", "in", turns).execute();
  return rows.map(({ inbox }) => inbox);
}

/** The turn that took an inbox row in. */
export async function findSteeredTurn(db: Kysely<Database>, inbox: string): Promise<string | undefined> {
  const row = await db.selectFrom("steered_messages").select("turn").where("inbox", "=", inbox).executeTakeFirst();
  return row?.turn;
}
