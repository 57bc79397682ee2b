import type { TurnResult } from "../agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { listLedger } from "../../store/queries/ledger.ts";
import { listDecidedQuestions } from "../../store/queries/questions.ts";
import { endTurn, assertLease, revokeTurn } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { FitResult } from "../tools/fit-result.ts";
import type { TurnAtWork } from "./turn-at-work.ts";
import type { TaskEnd, Tasks } from "../tasks/tasks.ts";

/**
 * Stores the end of a sub-agent in one transaction: its result, its turn, and the job of the parent that waits for it.
 */
export interface SettleTask {
  settle(work: TurnAtWork, result: Extract<TurnResult, { kind: "reported" | "failed" }>): Promise<void>;
  settleStop(work: TurnAtWork): Promise<void>;
}

export function createSettleTask(parts: {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly fit: FitResult;
  /** Gives a job to its lane. */
  readonly pushToLane: (item: InboxItem) => void;
  readonly clock: Clock;
}): SettleTask {
  const { store, tasks, clock } = parts;

  async function settle(work: TurnAtWork, result: Extract<TurnResult, { kind: "reported" | "failed" }>): Promise<void> {
    const { lease, input, item } = work;
    const fitted = result.kind === "reported" ? { ...result, text: await fitReport(work, result) } : result;
    const job = await store.usage.inTransaction(async (tx) => {
      await assertLease(tx, lease);
      const unsure = (await listLedger(tx, lease.turn)).filter(({ state }) => state === "started");
      const refused = await listDecidedQuestions(tx, lease.turn);
      const end = describeEnd(work, fitted, {
        unsure: unsure.map(({ tool }) => tool),
        refused: refused.flatMap(({ calls }) =>
          calls
            .filter(({ state }) => state === "rejected")
            .map(({ tool, summary }) => `${tool} ${summary.slice(0, 200)}`),
        ),
      });
      await appendAudit(tx, {
        actor: "gateway",
        action: `task.${end.status}`,
        session: input.session,
        turn: lease.turn,
        detail: {
          agent: input.agent?.id ?? "",
          parent: work.task?.parent ?? "",
          ...(end.reason !== undefined && { reason: end.reason }),
          ...(end.tokens && { tokens: { ...end.tokens } }),
        },
        now: clock.now(),
      });
      await endTurn(tx, lease, end.status === "done" ? "replied" : "failed", clock.now());
      await setInboxState(tx, item.id, "done", clock.now());
      return tasks.conclude(tx, lease.turn, end, work.cause);
    });
    await store.turnCheckpoints.remove(lease.turn);
    if (job) parts.pushToLane(job);
  }

  /** A long report is stored whole in the workspace, like the long result of any tool. */
  async function fitReport(
    { lease, input }: TurnAtWork,
    { taint, text }: Extract<TurnResult, { kind: "reported" }>,
  ): Promise<string> {
    const { chatKind, person, session } = input;
    const place = { session, person, chatKind, taint, now: clock.now(), turn: lease.turn, call: "report" };
    const fitted = await parts.fit({ ok: true, output: text }, place);
    return typeof fitted.output === "string" ? fitted.output : text;
  }

  async function settleStop({ lease, item }: TurnAtWork): Promise<void> {
    await store.usage.inTransaction(async (tx) => {
      // Stopping a task also ends the turn that waits for it.
      const end = { status: "failed", text: "", reason: "The person stopped it.", wakes: false } as const;
      if (await revokeTurn(tx, lease.turn, "stopped", clock.now())) await tasks.conclude(tx, lease.turn, end);
      await setInboxState(tx, item.id, "done", clock.now());
    });
    await store.turnCheckpoints.remove(lease.turn);
  }

  return { settle, settleStop };
}

function describeEnd(
  { input }: TurnAtWork,
  result: Extract<TurnResult, { kind: "reported" | "failed" }>,
  { refused, unsure }: { readonly refused: readonly string[]; readonly unsure: readonly string[] },
): TaskEnd {
  const doubt = unsure.length > 0 ? [`It is not known whether these have run: ${unsure.join(", ")}.`] : [];
  if (result.kind === "failed") {
    const reason = [`It failed (${result.code}): ${result.message}`, ...doubt].join(" ");
    return { status: "failed", text: "", reason, unsure, wakes: true };
  }
  const { capped, sources, taint, text, tokens } = result;
  const faults = [
    ...(capped ? [`It used up its ${input.agent?.rounds ?? 0} rounds; the result is what it had by then.`] : []),
    ...(refused.length > 0 ? [`The person said no to: ${refused.join("; ")}.`] : []),
    ...(text === "" ? ["It ended without a report."] : []),
    ...doubt,
  ];
  const end = { text, taint, sources, tokens, unsure, wakes: true } as const;
  return faults.length === 0 ? { ...end, status: "done" } : { ...end, status: "failed", reason: faults.join(" ") };
}
