import type { Kysely } from "kysely";
import { compileOnce } from "../statements/compile-once.ts";
import type { Database } from "../schema/database.ts";
import { revokeTurn, toTurn, type TurnOutcome, type TurnRow } from "./turns.ts";

/** Tasks are turns too: the work of a sub-agent for the turn that is its parent. */

/** The payload of a task's inbox row. */
export interface TaskJob {
  readonly turn: string;
  readonly cause: string;
}

/** Takes the row of a turn until the transaction ends, and reads it. Undefined when it has ended. */
export async function lockLivingTurn(db: Kysely<Database>, id: string): Promise<TurnRow | undefined> {
  const row = await db
    .updateTable("turns")
    .set((expression) => ({ token: expression.ref("token") }))
    .where("id", "=", id)
    .where("state", "!=", "ended")
    .returningAll()
    .executeTakeFirst();
  return row && toTurn(row);
}

/** The tasks of a turn, in the order they were started. */
export async function listTasks(db: Kysely<Database>, parent: string): Promise<TurnRow[]> {
  return (await selectTasks(db, { parent })).map(toTurn);
}

const selectTasks = compileOnce((db, { parent }: { readonly parent: string }) =>
  db.selectFrom("turns").selectAll().where("parent", "=", parent).orderBy("created_at").orderBy("id"),
);

/** Tasks that have not ended, of one session or of all. */
export async function listLivingTasks(db: Kysely<Database>, session?: string): Promise<TurnRow[]> {
  let query = db.selectFrom("turns").selectAll().where("kind", "=", "task").where("state", "!=", "ended");
  if (session !== undefined) query = query.where("session", "=", session);
  return (await query.orderBy("created_at").orderBy("id").execute()).map(toTurn);
}

/** The newest first. Read along an index of their own. */
export async function listNewestTasks(db: Kysely<Database>, limit: number): Promise<TurnRow[]> {
  const rows = await db
    .selectFrom("turns")
    .selectAll()
    .where("kind", "=", "task")
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(toTurn);
}

/** Turns of a session that are parked until their tasks have ended. */
export async function listTurnsWaitingForTasks(db: Kysely<Database>, session?: string): Promise<TurnRow[]> {
  let query = db.selectFrom("turns").selectAll().where("state", "=", "parked").where("waiting", "like", "tasks:%");
  if (session !== undefined) query = query.where("session", "=", session);
  return (await query.orderBy("created_at").orderBy("id").execute()).map(toTurn);
}

/** Records the result of a task, once. */
export async function saveTaskResult(db: Kysely<Database>, id: string, result: string): Promise<void> {
  await db.updateTable("turns").set({ result }).where("id", "=", id).where("result", "is", null).execute();
}

/** Ends a task from outside and takes its job back. False when it had ended. */
export async function revokeTask(
  db: Kysely<Database>,
  task: TurnRow,
  outcome: TurnOutcome,
  now: number,
): Promise<boolean> {
  if (!(await revokeTurn(db, task.id, outcome, now))) return false;
  await db
    .updateTable("inbox")
    .set({ state: "done", finished_at: now })
    .where("id", "=", task.inbox)
    .where("state", "=", "queued")
    .execute();
  return true;
}

/** How often the tasks of a turn (those it waits for) have asked something. */
export async function countTaskQuestions(db: Kysely<Database>, parent: string): Promise<number> {
  const row = await db
    .selectFrom("questions")
    .innerJoin("turns", "turns.id", "questions.turn")
    .select((expression) => expression.fn.countAll().as("count"))
    .where("turns.parent", "=", parent)
    .where("turns.background", "=", 0)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
