import { setImmediate } from "node:timers/promises";
import type { ToolExecutor } from "../tools/executor.ts";
import type { ToolOutcome } from "../tools/types.ts";
import type { TurnStateValue } from "./state.ts";
import type { JudgedCall, TurnRun } from "./types.ts";

/** Runs calls side by side and answers their outcomes by call id. */
export type RunBatch = (
  state: Pick<TurnStateValue, "input" | "taint">,
  batch: readonly JudgedCall[],
  run: TurnRun,
) => Promise<Readonly<Record<string, ToolOutcome>>>;

/** The one way from a turn to the executor: with the verdict, the rules and the taint that the turn's state has. */
export function createRunBatch({ executor }: { readonly executor: ToolExecutor }): RunBatch {
  return async ({ input, taint }, batch, run) => {
    const begun = batch.map((call) =>
      executor.execute({
        call,
        hold: run.hold,
        policy: input.policy,
        taint,
        needsApproval: call.verdict.kind === "ask",
        context: {
          session: input.session,
          turn: input.turn,
          person: input.person,
          language: input.language,
          zone: input.zone,
          signal: run.signal,
          progress: (note) => run.onProgress({ kind: "tool", call, summary: call.summary, note }),
        },
      }),
    );
    const ended = Promise.allSettled(begun);
    // They are out before they are shown: a view of them is written down first, and a person waits for the call.
    await setImmediate();
    for (const call of batch) run.onProgress({ kind: "tool", call, summary: call.summary });
    for (const [index, call] of batch.entries()) {
      void begun[index]?.then(
        (outcome) => run.onProgress({ kind: "tool", call, summary: call.summary, outcome }),
        () => undefined,
      );
    }
    // All come to their end before a fault of one of them goes on: what the others brought is in the ledger then.
    const settled = await ended;
    const fault = settled.find((one) => one.status === "rejected");
    if (fault) throw fault.reason;
    return Object.fromEntries(
      settled.flatMap((one, index) => (one.status === "fulfilled" ? [[batch[index]?.id, one.value] as const] : [])),
    ) as Record<string, ToolOutcome>;
  };
}
