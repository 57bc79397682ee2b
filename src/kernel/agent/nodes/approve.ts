import { interrupt } from "@langchain/langgraph";
import { toCanonicalJson } from "../../../core/canonical-json.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";
import type { Answer, JudgedCall, QuestionDraft } from "../types.ts";

/**
 * Asks for the unanswered *ask* calls that share the terms of the first one, usually the whole round. Calls with other
 * terms, and those that a rejection left out, are asked next. LangGraph runs an interrupted node again from its first
 * line, so nothing else may happen here.
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
  // The text shown before the question has become a message of its own.
  return { answer, shown: "", shownBefore: "" };
}

function keyOfTerms({ verdict }: JudgedCall): string {
  return verdict.kind === "ask" ? toCanonicalJson({ ...verdict.terms }) : "";
}
