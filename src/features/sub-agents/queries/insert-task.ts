import type { Kysely } from "kysely";
import { insertOwnJob, nameOwnJob } from "../../../store/queries/inbox.ts";
import type { TaskJob } from "../../../store/queries/tasks.ts";
import type { TurnRow } from "../../../store/queries/turns.ts";
import type { Database } from "../../../store/schema/database.ts";

interface NewTask {
  readonly parent: TurnRow;
  readonly call: string;
  readonly background: boolean;
  /** JSON; kernel/agent/types.ts has its shape. */
  readonly input: string;
  readonly now: number;
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
