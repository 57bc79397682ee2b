import type { ToolRegistry } from "../tools/registry.ts";
import type { TurnStateValue } from "./state.ts";
import type { Answer, JudgedCall } from "./types.ts";

/** Calls of one round that run in parallel. */
const maxAtOnce = 8;

export interface RefusedCall {
  readonly call: JudgedCall;
  readonly reason: string;
  readonly by: "gate" | "person";
}

/** The next step for the calls of a round without an outcome. Calls in neither list wait for an answer. */
interface CallPlan {
  readonly refused: readonly RefusedCall[];
  /** Run one after the other; the calls inside a batch run in parallel. */
  readonly batches: readonly (readonly JudgedCall[])[];
}

export type PlanCalls = (state: Pick<TurnStateValue, "calls" | "outcomes" | "answer">) => CallPlan;

export function createPlanCalls({ registry }: { readonly registry: ToolRegistry }): PlanCalls {
  return ({ calls, outcomes, answer }) => {
    const open = calls
      .filter((call) => !outcomes[call.id])
      .map((call) => ({ call, status: findCallStatus(call, answer) }));
    const runnable = open.filter(({ status }) => status.kind === "run").map(({ call }) => call);
    const isSafe = (call: JudgedCall): boolean => registry.find(call.name)?.concurrencySafe === true;
    return {
      refused: open.flatMap(({ call, status }) => (status.kind === "refused" ? [{ ...status, call }] : [])),
      batches: partitionBatches(runnable, isSafe, maxAtOnce),
    };
  };
}

const rejectedReason = "The person was asked and said no to this one. It did not run. Do not ask for it again.";

type CallStatus =
  | { readonly kind: "run" }
  | { readonly kind: "wait" }
  | ({ readonly kind: "refused" } & Omit<RefusedCall, "call">);

function findCallStatus({ id, verdict }: JudgedCall, answer: Answer | null): CallStatus {
  switch (verdict.kind) {
    case "allow":
      return { kind: "run" };
    case "deny":
      return { kind: "refused", reason: verdict.reason, by: "gate" };
    case "ask":
      if (!answer) return { kind: "wait" };
      if (answer.rejected.includes(id)) return { kind: "refused", reason: rejectedReason, by: "person" };
      return { kind: answer.approved.includes(id) ? "run" : "wait" };
  }
}

/**
 * Cuts sequential calls into batches of parallel ones. Neighbours that are parallel-safe share a batch of at most
 * `max`; any other call runs alone. Flattened, the batches keep the order of the calls.
 */
export function partitionBatches<Call>(
  calls: readonly Call[],
  isSafe: (call: Call) => boolean,
  max: number,
): readonly (readonly Call[])[] {
  const batches: Call[][] = [];
  let open: Call[] | undefined;
  for (const call of calls) {
    const safe = isSafe(call);
    if (safe && open !== undefined && open.length < max) {
      open.push(call);
      continue;
    }
    const batch = [call];
    batches.push(batch);
    open = safe ? batch : undefined;
  }
  return batches;
}
