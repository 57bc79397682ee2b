import { interrupt } from "@langchain/langgraph";
import { toCanonicalJson } from "../../../core/canonical-json.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";
import type { Answer, JudgedCall, QuestionDraft } from "../types.ts";

/**
 * Asks for the calls judged *ask* that have no outcome yet, on whose terms the first of them is asked for: all of a round
 * as a rule. Others, and those a no left out, are asked next. An interrupted node runs again from its first line when the
 * answer comes, so nothing else may happen here.
 */
export function approve(state: TurnStateValue): TurnStateUpdate {
  const waiting = state.calls.filter((call) => call.verdict.kind === "ask" && !state.outcomes[call.id]);
  const [first] = waiting;
  const together = waiting.filter((call) => first && keyOfTerms(call) === keyOfTerms(first));
  const calls = together.map(({ id, name, arguments: given, hash, summary, detail, network, verdict, scope }) => ({
    call: id,
    tool: name,
    arguments: given,
    hash,
    summary,
    detail,
    network,
    because: verdict.kind === "ask" ? verdict.because : [],
    ...(scope && { scope }),
  }));
  const terms = first?.verdict.kind === "ask" ? { terms: first.verdict.terms } : {};
  const answer = interrupt<QuestionDraft, Answer>({ ...terms, calls });
  // The text shown before the question is a message of its own by now.
  return { answer, shown: "", shownBefore: "" };
}

function keyOfTerms({ verdict }: JudgedCall): string {
  return verdict.kind === "ask" ? toCanonicalJson({ ...verdict.terms }) : "";
}
