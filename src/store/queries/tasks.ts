import type { Kysely } from "kysely";
import { compileOnce } from "../statements/compile-once.ts";
import type { Database } from "../schema/database.ts";
import { insertOwnJob, nameOwnJob } from "./inbox.ts";
import { revokeTurn, toTurn, type TurnOutcome, type TurnRow } from "./turns.ts";

/** Tasks are turns too: the work of a sub-agent for the turn that is its parent. */

export interface NewTask {
  readonly parent: TurnRow;
  readonly call: string;
  readonly background: boolean;
  /** JSON; kernel/agent/types.ts has its shape. */
  readonly input: string;
  readonly now: number;
}

/** The payload of a task's inbox row. */
export interface TaskJob {
  readonly turn: string;
  readonly cause: string;
}

/** A parent's call starts one task, however often it runs. */
export function nameTask(parent: string, call: string): string {
  return `${parent}-${call}`;
}

/** Writes a task and the job that begins it. Does nothing when the call has started it already. Inside a transaction only. */
export async function insertTask(db: Kysely<Database>, task: NewTask): Promise<void> {
  const { parent, call, now } = task;
  const id = nameTask(parent.id, call);
  const eventKey = `task:${id}`;
  const inserted = await db
    .insertInto("turns")
    .values({
      id,
      kind: "task",
      parent: parent.id,
      parent_call: call,
      background: task.background ? 1 : 0,
      waiting: null,
      cause: parent.cause,
      result: null,
      session: parent.session,
      inbox: nameOwnJob(eventKey),
      state: "running",
      outcome: null,
      input: task.input,
      policy: parent.policy,
      owner: "",
      lease_until: 0,
      token: 1,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(["parent", "parent_call"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return;
  const payload: TaskJob = { turn: id, cause: parent.cause };
  await insertOwnJob(db, { eventKey, session: parent.session, kind: "task", payload: JSON.stringify(payload), now });
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
