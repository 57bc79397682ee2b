import { setImmediate } from "node:timers/promises";
import type { ToolExecutor } from "../tools/executor.ts";
import type { ToolOutcome } from "../tools/types.ts";
import type { TurnSkills } from "./turn-skills.ts";
import type { RefusedCall } from "./plan-calls.ts";
import { isAwaitedTask } from "./task-result.ts";
import { knownAddresses, type TurnStateValue } from "./state.ts";
import type { JudgedCall, TurnRun } from "./types.ts";

type Outcomes = Readonly<Record<string, ToolOutcome>>;
type TurnSoFar = Pick<TurnStateValue, "input" | "taint" | "sources" | "named" | "found" | "offered" | "skills">;

/** The one path from a turn to the executor. Both methods return outcomes by call id. */
export interface RunCalls {
  /** Runs a batch in parallel, with the verdicts, rules and taint of the turn's state. */
  batch(state: TurnSoFar, batch: readonly JudgedCall[], run: TurnRun): Promise<Outcomes>;
  /** Records refusals; runs nothing. */
  refuse(state: TurnSoFar, refused: readonly RefusedCall[], run: TurnRun): Promise<Outcomes>;
}

export function createRunCalls(parts: { readonly executor: ToolExecutor; readonly skills: TurnSkills }): RunCalls {
  const { executor, skills: known } = parts;

  async function execute(state: TurnSoFar, call: JudgedCall, run: TurnRun): Promise<ToolOutcome> {
    const { input, offered, skills, sources, taint } = state;
    // Read again: the hosts of a skill may have changed since the question.
    const network = await known.listHosts(input.session, skills);
    return executor.execute({
      call,
      lease: run.lease,
      policy: input.policy,
      taint,
      sources,
      addresses: knownAddresses(state),
      network: call.network,
      context: {
        session: input.session,
        turn: input.turn,
        person: input.person,
        language: input.language,
        zone: input.zone,
        chatKind: input.chatKind,
        ...(call.verdict.kind === "ask" && { shown: call.detail }),
        network,
        ...(input.agent && { agent: { id: input.agent.id, tools: offered }, network: [] }),
        signal: run.signal,
        progress: (note) => run.onProgress({ kind: "tool", call, summary: call.summary, note }),
      },
    });
  }

  return {
    async batch(state, batch, run) {
      const begun = batch.map((call) => ({ call, outcome: execute(state, call, run) }));
      // Handled here because the await follows later, and a fault must not become an unhandled rejection.
      const ended = Promise.allSettled(begun.map(({ outcome }) => outcome));
      // Calls start before they are shown: a person waits for them, and showing writes to the store.
      await setImmediate();
      for (const { call } of begun) run.onProgress({ kind: "tool", call, summary: call.summary });
      const shown = Promise.allSettled(begun.map(async ({ call, outcome }) => show(run, call, await outcome)));
      // A fault is rethrown only after all calls have ended: their results are in the ledger by then.
      const fault = (await ended).find((one) => one.status === "rejected");
      if (fault) throw fault.reason;
      return Object.fromEntries((await shown).flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
    },
    async refuse({ input, offered }, refused, run) {
      const outcomes: Record<string, ToolOutcome> = {};
      for (const { call, reason, by } of refused) {
        const { agent, person, session } = input;
        const context = { person, session, ...(agent && { agent: { id: agent.id, tools: offered } }) };
        const outcome = await executor.refuse({ call, lease: run.lease, context, reason, by });
        const [id] = show(run, call, outcome);
        outcomes[id] = outcome;
      }
      return outcomes;
    },
  };
}

function show(run: TurnRun, call: JudgedCall, outcome: ToolOutcome): readonly [string, ToolOutcome] {
  if (call.name === "task") run.onTasks();
  // A started task is shown as running until `join` brings its result.
  if (!isAwaitedTask(call, outcome)) run.onProgress({ kind: "tool", call, summary: call.summary, outcome });
  return [call.id, outcome];
}
