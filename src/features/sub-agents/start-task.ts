import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../store/open-store.ts";
import { listLivingTasks, listTasks, lockLivingTurn } from "../../store/queries/tasks.ts";
import { insertTask, nameTask } from "./queries/insert-task.ts";
import type { ToolContext } from "../../kernel/tools/types.ts";
import type { TurnInput } from "../../kernel/agent/types.ts";
import type { SubAgent } from "./sub-agent.ts";

export type StartTask = (wanted: {
  readonly agent: SubAgent;
  readonly description: string;
  readonly background: boolean;
  readonly context: ToolContext;
}) => Promise<
  { readonly kind: "started"; readonly task: string } | { readonly kind: "refused"; readonly reason: string }
>;

/** Running sub-agents of one conversation, those in the background included. */
const maxAtOnce = 8;

/**
 * Writes the task's turn and the job that begins it, once per call. The parent's row is locked in the meantime: a
 * stopped turn starts nothing any more. Requester, rules and taint come from the parent; a task never has more rights.
 */
export function createStartTask(parts: { readonly store: Store; readonly clock: Clock }): StartTask {
  const { store, clock } = parts;
  return ({ agent, description, background, context }) =>
    store.main.transaction().execute(async (tx) => {
      const parent = await lockLivingTurn(tx, context.turn);
      if (!parent) return refuse("The turn has ended.");
      const task = nameTask(parent.id, context.call);
      const given = JSON.parse(parent.input) as TurnInput;
      // One level deep, so that the work of one message is bounded.
      if (parent.kind === "task") return refuse("A sub-agent cannot start another one. Do it yourself.");
      if (given.report !== undefined)
        return refuse("A report starts nothing new. Tell the person what came of it and ask whether to go on.");
      if ((await listTasks(tx, parent.id)).some(({ id }) => id === task)) return { kind: "started", task };
      if ((await listLivingTasks(tx, parent.session)).length >= maxAtOnce)
        return refuse(`${maxAtOnce} sub-agents are at work already. Wait until one of them has ended.`);
      const { id, prompt, tools, exclude, model, rounds } = agent;
      const { chatKind, language, person, policy, replyTo, session, zone } = given;
      const input: TurnInput = {
        turn: task,
        session,
        chatKind,
        person,
        language,
        zone,
        taint: context.taint,
        sources: context.sources ?? [],
        named: context.addresses ?? [],
        text: description,
        ...(replyTo !== undefined && { replyTo }),
        position: 0,
        startPosition: 0,
        policy,
        agent: { id, prompt, tools, exclude, model, rounds },
      };
      await insertTask(tx, {
        parent,
        call: context.call,
        background,
        input: JSON.stringify(input),
        now: clock.now(),
      });
      return { kind: "started", task };
    });
}

function refuse(reason: string): { readonly kind: "refused"; readonly reason: string } {
  return { kind: "refused", reason };
}
