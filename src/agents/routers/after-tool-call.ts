import type { TurnStateValue } from "../state.ts";

export function afterToolCall(state: TurnStateValue): "approve" | "generate" {
  return state.calls.length > 0 ? "approve" : "generate";
}
