import type { TurnProgress } from "../../agents/types.ts";
import type { LiveReply } from "./live-reply.ts";
import type { TurnAtWork } from "./turn-at-work.ts";

/** The sub-agents of one turn, shown together in its chat while it waits for them. */
export interface TaskViews {
  update(work: TurnAtWork, progress: TurnProgress): void;
  /** A task shows no more for now; the last one closes the view. */
  leave(work: TurnAtWork): Promise<void>;
  /** What is shown next stands below what is sent now. */
  close(parent: string): Promise<void>;
}

export function createTaskViews(open: (work: TurnAtWork) => LiveReply | undefined): TaskViews {
  const views = new Map<string, { readonly live: LiveReply | undefined; readonly tasks: Set<string> }>();

  async function close(parent: string): Promise<void> {
    const view = views.get(parent);
    views.delete(parent);
    await view?.live?.settle();
  }

  return {
    update(work, progress) {
      const { task, input, lease } = work;
      // What a sub-agent writes is for its parent; only what it does is shown.
      if (!task?.parent || task.background || progress.kind !== "tool") return;
      const view = views.get(task.parent) ?? { live: open(work), tasks: new Set() };
      views.set(task.parent, view);
      view.tasks.add(lease.turn);
      const call = { ...progress.call, id: `${task.parentCall}/${progress.call.id}` };
      view.live?.update({ ...progress, call, ...(input.agent && { agent: input.agent.id }) });
    },
    async leave({ lease, task }) {
      const view = task?.parent ? views.get(task.parent) : undefined;
      view?.tasks.delete(lease.turn);
      if (task?.parent && view?.tasks.size === 0) await close(task.parent);
    },
    close,
  };
}
