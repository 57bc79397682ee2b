import { interrupt } from "@langchain/langgraph";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";
import type { Answer, QuestionDraft } from "../types.ts";

/**
 * Asks, once per round, for exactly the calls judged *ask*. An interrupted node runs again from its first line when the
 * answer comes, so nothing else may happen here.
 */
export function approve(state: TurnStateValue): TurnStateUpdate {
  const calls = state.calls
    .filter((call) => call.verdict.kind === "ask")
    .map(({ id, name, arguments: given, hash, summary, detail, network }) => ({
      call: id,
      tool: name,
      arguments: given,
      hash,
      summary,
      detail,
      network,
    }));
  const answer = interrupt<QuestionDraft, Answer>({ calls });
  // What was shown before the question is a message of its own by now.
  return { answer, shown: "", shownBefore: "" };
}
