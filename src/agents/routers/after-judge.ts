import type { TurnStateValue } from "../state.ts";

/** What needs no question runs first; its results wait with the question. */
export function afterJudge(state: TurnStateValue): "tool_call" | "approve" {
  return state.calls.some((call) => call.verdict.kind !== "ask") ? "tool_call" : "approve";
}
