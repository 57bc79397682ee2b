import type { Taint, JsonObject, ToolCall } from "../../core/conversation.ts";
import type { ToolOutcome } from "../tools/types.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../store/schema/database.ts";
import { listTasks } from "../../store/queries/tasks.ts";

/** The result of a task, as stored in its turn's row. */
export interface TaskResult {
  readonly agent: string;
  readonly status: "done" | "failed";
  /** Its report, or what it had found when it failed. */
  readonly text: string;
  /** The reason for its failure, for the model. */
  readonly reason?: string;
  /** The label of everything it read; the reader of the report inherits it. */
  readonly taint: Taint;
  readonly sources?: readonly string[];
  /** Tools with an unknown outcome. */
  readonly unsure: readonly string[];
  readonly tokens: { readonly input: number; readonly output: number };
  readonly timingMs: number;
}

/** The immediate result of `task`. */
interface TaskStarted extends JsonObject {
  readonly agent: string;
  readonly status: "running";
  readonly task: string;
  readonly background: boolean;
}

/** Whether this outcome only says that a task was started which the turn must wait for. */
export function isAwaitedTask(call: ToolCall, outcome: ToolOutcome | undefined): boolean {
  if (call.name !== "task" || outcome?.kind !== "done") return false;
  const output = outcome.envelope.output as Partial<TaskStarted> | null;
  return output?.status === "running" && output.background === false;
}

/** The outcome of the call that started the task. */
function toTaskOutcome({ agent, status, text, reason, sources, taint, timingMs }: TaskResult): ToolOutcome {
  const output = { agent, result: text, status };
  const meta = { timingMs, source: "builtin" as const, taint, ...(sources && { sources }) };
  return status === "done"
    ? { kind: "done", envelope: { ok: true, output, meta } }
    : { kind: "failed", envelope: { ok: false, error: reason ?? "It failed.", output, meta } };
}

/** The outcomes of these calls' tasks, by call. Returns undefined while one of them runs. */
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
