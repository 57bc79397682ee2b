import type { TurnInput, TurnResult } from "../agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import { setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import { listTasks } from "../../store/queries/tasks.ts";
import { findTurn, parkTurn, assertLease, type TurnRow } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import { type TurnAtWork, settleShown } from "./turn-at-work.ts";
import type { Tasks } from "../tasks/tasks.ts";

/** Parks a turn until its tasks have ended, and sends what it has written so far. Nothing of it stays in memory. */
export function createWaitForTasks(parts: {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly tasks: Tasks;
  readonly hooks: Pick<CallHooks, "said">;
  /** Gives a job to its lane. */
  readonly pushToLane: (item: InboxItem) => void;
  readonly clock: Clock;
}) {
  const { store, outbox, tasks, hooks, clock } = parts;
  return async (
    work: TurnAtWork,
    { linked, round, shown, taint }: Extract<TurnResult, { kind: "awaitingTasks" }>,
  ): Promise<void> => {
    const { cause, lease, input, item, session } = work;
    const job = await store.usage.inTransaction(async (tx) => {
      await assertLease(tx, lease);
      await settleShown(tx, work, { text: shown, linked, taint }, { hooks, now: clock.now() });
      const text = describeTasks(await listTasks(tx, lease.turn));
      const { turn } = input;
      const messages = [{ role: "note", text }] as const;
      await appendMessages(tx, { session: session.id, turn, taint, messages, now: clock.now() });
      await parkTurn(tx, lease, clock.now(), `tasks:${round}`);
      await setInboxState(tx, item.id, "done", clock.now());
      const parent = await findTurn(tx, lease.turn);
      return parent && tasks.wake(tx, parent, cause);
    });
    outbox.wake(session.id);
    if (job) parts.pushToLane(job);
  };
}

/** A record for the model, in the turns that come in between. */
function describeTasks(tasks: readonly TurnRow[]): string {
  const texts = tasks.map(({ input }) => {
    const { agent, text } = JSON.parse(input) as TurnInput;
    return `${agent?.id ?? ""}: ${JSON.stringify(text.slice(0, 200))}`;
  });
  return `Sub-agents work on this; their results come by themselves, later. Do not start them again. ${texts.join("; ")}`;
}
