import { interrupt } from "@langchain/langgraph";
import type { ToolOutcome } from "../../tools/types.ts";
import { isAwaitedTask } from "../task-result.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";
import type { AwaitedTasks } from "../types.ts";

/** Waits until the tasks of this round have ended. As in `approve`, nothing else may happen here. */
export function join(state: TurnStateValue): TurnStateUpdate {
  const calls = state.calls.filter((call) => isAwaitedTask(call, state.outcomes[call.id])).map(({ id }) => id);
  const joined = interrupt<AwaitedTasks, Record<string, ToolOutcome>>({ tasks: calls, round: state.round });
  return { joined, shown: "", shownBefore: "" };
}
