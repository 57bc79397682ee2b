import type { Kysely } from "kysely";
import type { Database } from "../../store/schema.ts";
import { listTasks } from "../../store/queries/tasks.ts";
import type { ToolOutcome } from "../../tools/types.ts";
import { toTaskOutcome, type TaskResult } from "./task-result.ts";

/** The outcomes of these calls' tasks, by call. undefined = one of them is still at work. */
export async function readTaskOutcomes(
  db: Kysely<Database>,
  turn: string,
  calls: readonly string[],
): Promise<Record<string, ToolOutcome> | undefined> {
  const tasks = await listTasks(db, turn);
  const outcomes: Record<string, ToolOutcome> = {};
  for (const call of calls) {
    const task = tasks.find(({ parentCall }) => parentCall === call);
    if (task && task.state !== "ended") return undefined;
    outcomes[call] = task?.result
      ? toTaskOutcome(JSON.parse(task.result) as TaskResult)
      : { kind: "unknown", reason: "What the sub-agent did is not known." };
  }
  return outcomes;
}
