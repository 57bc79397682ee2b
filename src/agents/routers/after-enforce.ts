import { END } from "@langchain/langgraph";
import type { TurnStateValue } from "../state.ts";

export function afterEnforce(state: TurnStateValue): "generate" | typeof END {
  return state.reply === null ? "generate" : END;
}
