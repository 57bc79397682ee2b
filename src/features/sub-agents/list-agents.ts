import type { TurnInput } from "../../kernel/agent/types.ts";
import type { ListedAgent } from "../../kernel/feature/console-hooks.ts";
import type { Store } from "../../store/open-store.ts";
import { listNewestTasks } from "../../store/queries/tasks.ts";

/** The newest tasks of all sub-agents together that are looked through. */
const maxTasks = 40;
const maxRuns = 3;

export async function listAgents(
  store: Pick<Store, "main">,
  agents: () => readonly Omit<ListedAgent, "runs">[],
): Promise<readonly ListedAgent[]> {
  const tasks = (await listNewestTasks(store.main, maxTasks)).map((task) => ({
    ...task,
    agent: (JSON.parse(task.input) as TurnInput).agent?.id,
  }));
  return agents().map(({ description, exclude, id, model, tools }) => ({
    id,
    description,
    tools,
    exclude,
    model,
    runs: tasks.filter(({ agent }) => agent === id).slice(0, maxRuns),
  }));
}
