import type { Clock } from "../../core/clock.ts";
import type { Meter, RunOutcome } from "../../core/meter.ts";
import type { JobEnd } from "../lanes/session-lanes.ts";
import type { TurnResult } from "../agent/types.ts";
import type { SettleTurn } from "./settle-turn.ts";
import type { TurnAtWork } from "./turn-at-work.ts";

/** Tells the meter of each run of a turn. */
export interface RunMeasure {
  during(work: TurnAtWork, run: () => Promise<JobEnd>): Promise<JobEnd>;
  /** The person's channel shows something of the turn. */
  seen(work: TurnAtWork): void;
  /** Every way a turn is settled, noted as the end of its run. */
  readonly settling: SettleTurn;
}

interface RunEnd {
  readonly outcome: RunOutcome;
  readonly code?: string;
}

export function createRunMeasure(
  settling: SettleTurn,
  { meter, clock }: { readonly meter: Meter; readonly clock: Clock },
): RunMeasure {
  const ends = new WeakMap<TurnAtWork, RunEnd>();
  return {
    async during(work, run) {
      const { answered, input, lease } = work;
      const decision = answered?.decision;
      meter({
        kind: "turn-began",
        run: lease,
        session: input.session,
        ...(input.agent && { agent: input.agent.id }),
        ...(decision && { decision }),
        at: clock.now(),
      });
      let end: RunEnd = { outcome: "left" };
      try {
        const jobEnd = await run();
        end = ends.get(work) ?? (jobEnd === "waiting" ? { outcome: "waits" } : end);
        return jobEnd;
      } finally {
        meter({ kind: "turn-ended", run: lease, ...end, at: clock.now() });
      }
    },
    seen: ({ lease }) => meter({ kind: "turn-seen", run: lease, at: clock.now() }),
    settling: {
      async settle(work, result) {
        await settling.settle(work, result);
        ends.set(work, describeEnd(result));
      },
      async settleGivenUp(work, given) {
        await settling.settleGivenUp(work, given);
        ends.set(work, { outcome: "failed", code: "MODEL_UNAVAILABLE" });
      },
      async settleStop(work) {
        await settling.settleStop(work);
        ends.set(work, { outcome: "stopped" });
      },
    },
  };
}

function describeEnd(result: Exclude<TurnResult, { kind: "outage" }>): RunEnd {
  switch (result.kind) {
    case "replied":
    case "reported":
      return { outcome: "replied" };
    case "awaitingApproval":
      return { outcome: "asks" };
    case "awaitingTasks":
      return { outcome: "waits" };
    case "failed":
      return { outcome: "failed", code: result.code };
  }
}
