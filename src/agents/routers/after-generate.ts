import type { TurnStateValue } from "../state.ts";

export function afterGenerate(state: TurnStateValue): "judge" | "validate" {
  return state.requested.length > 0 ? "judge" : "validate";
}
