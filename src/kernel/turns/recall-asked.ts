import type { TurnInput } from "../agent/types.ts";
import { findQuestionSources } from "../../store/queries/messages.ts";
import { type Question, findQuestion, findQuestionTaint } from "../../store/queries/questions.ts";
import { findTurn } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import { changeCall } from "../questions/change-call.ts";
import { describeBriefly } from "../questions/question-cards.ts";
import { readChange } from "../questions/read-change.ts";

/**
 * Returns the taint, sources and words of the turn that first asked about a call. A person who repeats a question did
 * not write its call, so the call keeps its taint. A sub-agent's task selects no skill.
 */
export async function recallAsked(store: Store, { id, turn }: Question) {
  const row = await findTurn(store.main, turn);
  const input = row && (JSON.parse(row.input) as TurnInput);
  return {
    taint: (await findQuestionTaint(store.main, id)) ?? "untrusted",
    sources: await findQuestionSources(store.main, id),
    named: input?.named ?? [],
    utterance: input && (row.kind === "task" ? "" : (input.utterance ?? input.text)),
  };
}

/** Returns undefined when something else closed the question first. */
export async function recallChange(store: Store, id: string, text: string): Promise<TurnInput["change"]> {
  const question = await findQuestion(store.main, id);
  const wish = readChange(text);
  if (question?.closedHow !== "changed" || wish === undefined) return undefined;
  const [asked, ...others] = question.calls;
  const only = others.length === 0 ? asked : undefined;
  const call = only && changeCall(wish.to, { name: only.tool, arguments: only.arguments });
  return { code: question.code, what: describeBriefly(question.calls), ...(call && { call }) };
}

/** After a partial rejection the other calls were asked again under a code of their own. */
export function listFrozen({ calls, state }: Question): Question["calls"] {
  return state === "decided" ? calls.filter((call) => call.state === "rejected") : calls;
}
