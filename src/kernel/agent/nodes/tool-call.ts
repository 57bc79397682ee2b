import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { closeRound } from "../rewind/close-round.ts";
import { toModelJson } from "../model-text.ts";
import type { PlanCalls } from "../plan-calls.ts";
import type { RunCalls } from "../run-calls.ts";
import { readRun } from "../run-context.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";
import { isAwaitedTask } from "../task-result.ts";
import type { JudgedCall } from "../types.ts";
import type { ConversationMessage, Language, Taint } from "../../../core/conversation.ts";
import { joinTaint } from "../../../core/taint.ts";
import { findReason } from "../../../core/words/tell-reason.ts";
import { findTiming } from "../../tools/call-journal.ts";
import type { ToolOutcome } from "../../tools/types.ts";

/**
 * Runs the calls that may run now: allowed ones first, approved ones after their answer. Neighbours whose tools are
 * parallel-safe run in parallel. Once every call has an outcome, the results go to the model in the order of the calls.
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
    // Hidden tools, such as a thought, add no information.
    const broughtSomething = state.calls.some(({ id, hidden }) => outcomes[id]?.kind === "done" && hidden !== true);
    return {
      ...closeRound(state, results, outcomes),
      calls: [],
      outcomes: {},
      joined: {},
      answer: null,
      idleRounds: broughtSomething ? 0 : state.idleRounds + 1,
      joinedSkills: Object.values(outcomes).flatMap(readActivated),
      loadedTools: Object.values(outcomes).flatMap(readLoaded),
      ...readLabels(state.taint, Object.values(outcomes)),
    };
  };
}

/** Only built-in tools can make a skill part of a turn. */
function readActivated(outcome: ToolOutcome): readonly string[] {
  if (outcome.kind !== "done" || outcome.envelope.meta.source !== "builtin") return [];
  const { activates } = outcome.envelope;
  return activates === undefined ? [] : [activates];
}

function readLoaded(outcome: ToolOutcome): readonly string[] {
  if (outcome.kind !== "done" || outcome.envelope.meta.source !== "builtin") return [];
  return outcome.envelope.loads ?? [];
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

/** How far the results of the round raise the turn's label, their sources, and what its searches found. */
function readLabels(
  before: Taint,
  outcomes: readonly ToolOutcome[],
): Pick<TurnStateUpdate, "taint" | "sources" | "readNow" | "found"> {
  const metas = outcomes.flatMap((outcome) =>
    outcome.kind === "done" || outcome.kind === "failed" ? [outcome.envelope.meta] : [],
  );
  const sources = metas.flatMap(({ taint, sources = [] }) => (taint === "untrusted" ? sources : []));
  return {
    taint: joinTaint(before, ...metas.map(({ taint }) => taint ?? before)),
    sources,
    readNow: sources,
    found: metas.flatMap(({ found = [] }) => found),
  };
}

/**
 * A call's outcome as the model reads it: success, how it ended, its duration in milliseconds, and its result. It is
 * JSON, so that no content can pose as anything else. The executor already limited its size.
 */
export function renderOutcome(outcome: ToolOutcome, language: Language = "en"): string {
  const ms = findTiming(outcome);
  const ended = { ok: outcome.kind === "done", status: outcome.kind, ...(ms !== undefined && { ms }) };
  return toModelJson({ ...ended, ...describeResult(outcome), ...wordForPeople(outcome, language) });
}

/** The reason for a failure in the language of the chat: the reason itself is written for models. */
function wordForPeople(outcome: ToolOutcome, language: Language): { readonly say?: string } {
  if (outcome.kind === "done" || language === "en") return {};
  const say = findReason(outcome.kind === "failed" ? outcome.envelope.error : outcome.reason, language);
  return say === undefined ? {} : { say };
}

function describeResult(outcome: ToolOutcome): object {
  switch (outcome.kind) {
    case "done": {
      const { output, parts } = outcome.envelope;
      return { output, ...(parts && { kept: parts.map(({ path }) => path) }) };
    }
    case "failed": {
      const { error, output } = outcome.envelope;
      return { error, ...(output === undefined ? {} : { output }) };
    }
    case "denied":
    case "unknown":
      return { error: outcome.reason };
  }
}
