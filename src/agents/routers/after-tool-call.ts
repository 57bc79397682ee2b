import type { TurnStateValue } from "../state.ts";

/** Calls are left when some wait for an answer, or for tasks that were started: first the question, then the tasks. */
export function afterToolCall(state: TurnStateValue): "approve" | "join" | "generate" {
  if (state.calls.length === 0) return "generate";
  return state.calls.some(({ id }) => !state.outcomes[id]) ? "approve" : "join";
}
