import { END } from "@langchain/langgraph";
import type { TurnStateValue } from "./state.ts";

export function afterEnforce(state: TurnStateValue): "generate" | typeof END {
  return state.reply === null ? "generate" : END;
}

/** Messages that came before the first answer may select a skill too. */
export function afterGenerate(state: TurnStateValue): "skill_activate" | "judge" | "validate" {
  if (state.round === 0) return "skill_activate";
  return state.requested.length > 0 ? "judge" : "validate";
}

/** Calls that need no question run first; their results wait together with the question. */
export function afterJudge(state: TurnStateValue): "tool_call" | "approve" {
  return state.calls.some((call) => call.verdict.kind !== "ask") ? "tool_call" : "approve";
}

export function afterSkills(state: TurnStateValue): "judge" | "generate" {
  return state.requested.length > 0 ? "judge" : "generate";
}

/** Calls remain when some wait for an answer or for started tasks: first the question, then the tasks. */
export function afterToolCall(state: TurnStateValue): "approve" | "join" | "generate" {
  if (state.calls.length === 0) return "generate";
  return state.calls.some(({ id }) => !state.outcomes[id]) ? "approve" : "join";
}
