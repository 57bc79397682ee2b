import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { ConversationMessage, Language, Taint } from "../../core/conversation.ts";
import { joinTaint } from "../../core/taint.ts";
import type { ToolOutcome } from "../../tools/types.ts";
import { closeRound } from "../dmail/close-round.ts";
import type { PlanCalls } from "../plan-calls.ts";
import { renderOutcome } from "../render-outcome.ts";
import type { RunCalls } from "../run-calls.ts";
import { readRun } from "../run-context.ts";
import { isAwaitedTask } from "../sub-agents/task-result.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";
import type { JudgedCall } from "../types.ts";

/**
 * Runs what may run now: allowed calls first, those that were approved after their answer. Neighbours whose tools are safe
 * beside others run side by side. When every call has an outcome, the results go to the model in the order of the calls.
 */
export function createToolCall(parts: { readonly planCalls: PlanCalls; readonly runCalls: RunCalls }) {
  return async (state: TurnStateValue, config: LangGraphRunnableConfig): Promise<TurnStateUpdate> => {
    const run = readRun(config);
    const { refused, batches } = parts.planCalls(state);
    const outcomes = { ...state.outcomes, ...(await parts.runCalls.refuse(state, refused, run)) };
    for (const batch of batches) Object.assign(outcomes, await parts.runCalls.batch(state, batch, run));
    for (const call of state.calls) {
      const outcome = state.joined[call.id];
      if (!outcome) continue;
      outcomes[call.id] = outcome;
      run.onProgress({ kind: "tool", call, summary: call.summary, outcome });
    }
    const waiting = state.calls.filter((call) => !outcomes[call.id] || isAwaitedTask(call, outcomes[call.id]));
    if (waiting.length > 0) return { outcomes };
    const results = state.calls.map((call) => toMessage(call, outcomes[call.id], state.input.language));
    // A thought brings nothing that was not there.
    const broughtSomething = state.calls.some(({ id, hidden }) => outcomes[id]?.kind === "done" && hidden !== true);
    return {
      ...closeRound(state, results, outcomes),
      calls: [],
      outcomes: {},
      joined: {},
      answer: null,
      idleRounds: broughtSomething ? 0 : state.idleRounds + 1,
      joinedSkills: Object.values(outcomes).flatMap(readActivated),
      ...readLabels(state.taint, Object.values(outcomes)),
    };
  };
}

/** Only our own tools make a skill part of a turn. */
function readActivated(outcome: ToolOutcome): readonly string[] {
  if (outcome.kind !== "done" || outcome.envelope.meta.source !== "builtin") return [];
  const { activates } = outcome.envelope;
  return activates === undefined ? [] : [activates];
}

function toMessage(call: JudgedCall, outcome: ToolOutcome | undefined, language: Language): ConversationMessage {
  const settled: ToolOutcome = outcome ?? { kind: "unknown", reason: "The outcome was lost." };
  const parts = settled.kind === "done" ? settled.envelope.parts : undefined;
  return {
    role: "tool",
    callId: call.id,
    tool: call.name,
    ok: settled.kind === "done",
    text: renderOutcome(settled, language),
    ...(parts && { parts }),
  };
}

/** How far the round's results raise the turn's label, where that comes from, and what its searches found. */
function readLabels(
  before: Taint,
  outcomes: readonly ToolOutcome[],
): Pick<TurnStateUpdate, "taint" | "sources" | "found"> {
  const metas = outcomes.flatMap((outcome) =>
    outcome.kind === "done" || outcome.kind === "failed" ? [outcome.envelope.meta] : [],
  );
  return {
    taint: joinTaint(before, ...metas.map(({ taint }) => taint ?? before)),
    sources: metas.flatMap(({ taint, sources = [] }) => (taint === "untrusted" ? sources : [])),
    found: metas.flatMap(({ found = [] }) => found),
  };
}
