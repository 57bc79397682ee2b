import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { ConversationMessage, Taint } from "../../core/conversation.ts";
import type { ToolExecutor } from "../../tools/executor.ts";
import type { ToolOutcome } from "../../tools/types.ts";
import { renderOutcome } from "../render-outcome.ts";
import { readRun } from "../run-context.ts";
import { isAwaitedTask } from "../sub-agents/task-result.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";
import type { JudgedCall } from "../types.ts";

const taintOrder: readonly Taint[] = ["owner", "user", "untrusted"];

/**
 * Runs what may run now: allowed calls first, those that were approved after their answer. When every call has an
 * outcome, the results go to the model in the order of the calls.
 */
export function createToolCall(parts: { readonly executor: ToolExecutor }) {
  return async (state: TurnStateValue, config: LangGraphRunnableConfig): Promise<TurnStateUpdate> => {
    const run = readRun(config);
    const outcomes: Record<string, ToolOutcome> = { ...state.outcomes };
    for (const call of state.calls) {
      if (outcomes[call.id]) continue;
      const outcome = await settle(call);
      if (!outcome) continue;
      outcomes[call.id] = outcome;
      if (call.name === "task") run.onTasks();
      if (!isAwaitedTask(call, outcome)) run.onProgress({ kind: "tool", call, summary: call.summary, outcome });
    }
    for (const call of state.calls.filter(({ id }) => state.joined[id])) {
      const outcome = state.joined[call.id];
      if (!outcome) continue;
      outcomes[call.id] = outcome;
      run.onProgress({ kind: "tool", call, summary: call.summary, outcome });
    }
    const waiting = state.calls.filter((call) => !outcomes[call.id] || isAwaitedTask(call, outcomes[call.id]));
    if (waiting.length > 0) return { outcomes };
    const results = state.calls.map((call) => toMessage(call, outcomes[call.id]));
    const broughtSomething = Object.values(outcomes).some((outcome) => outcome.kind === "done");
    return {
      transcript: results,
      calls: [],
      outcomes: {},
      joined: {},
      answer: null,
      idleRounds: broughtSomething ? 0 : state.idleRounds + 1,
      taint: raiseTaint(state.taint, Object.values(outcomes)),
    };

    async function settle(call: JudgedCall): Promise<ToolOutcome | undefined> {
      const { verdict } = call;
      if (verdict.kind === "deny") return { kind: "denied", reason: verdict.reason };
      if (verdict.kind === "ask") {
        if (!state.answer) return undefined;
        if (!state.answer.approved.includes(call.id) || state.answer.rejected.includes(call.id)) {
          return {
            kind: "denied",
            reason: "The person was asked and said no. It did not run. Do not ask for it again.",
          };
        }
      }
      run.onProgress({ kind: "tool", call, summary: call.summary });
      const { input } = state;
      return parts.executor.execute({
        call,
        hold: run.hold,
        policy: input.policy,
        taint: state.taint,
        needsApproval: verdict.kind === "ask",
        context: {
          session: input.session,
          turn: input.turn,
          person: input.person,
          language: input.language,
          zone: input.zone,
          ...(input.agent && { agent: { id: input.agent.id, tools: state.offered } }),
          signal: run.signal,
          progress: (note) => run.onProgress({ kind: "tool", call, summary: call.summary, note }),
        },
      });
    }
  };
}

function toMessage(call: JudgedCall, outcome: ToolOutcome | undefined): ConversationMessage {
  const settled: ToolOutcome = outcome ?? { kind: "unknown", reason: "The outcome was lost." };
  const parts = settled.kind === "done" ? settled.envelope.parts : undefined;
  return {
    role: "tool",
    callId: call.id,
    tool: call.name,
    ok: settled.kind === "done",
    text: renderOutcome(settled),
    ...(parts && { parts }),
  };
}

function raiseTaint(before: Taint, outcomes: readonly ToolOutcome[]): Taint {
  const labels = outcomes.map((outcome) =>
    outcome.kind === "done" || outcome.kind === "failed" ? (outcome.envelope.meta.taint ?? before) : before,
  );
  return taintOrder[Math.max(...[before, ...labels].map((label) => taintOrder.indexOf(label)))] ?? "untrusted";
}
