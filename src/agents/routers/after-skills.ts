import type { TurnStateValue } from "../state.ts";

export function afterSkills(state: TurnStateValue): "judge" | "generate" {
  return state.requested.length > 0 ? "judge" : "generate";
}
