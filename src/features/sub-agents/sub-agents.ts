import type { z } from "zod";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import type { createToolsOptions } from "../../kernel/tools/table/options.ts";
import { listAgents } from "./list-agents.ts";
import { loadSubAgents, narrowSubAgents } from "./load-sub-agents.ts";
import { createStartTask } from "./start-task.ts";
import { type SubAgent, subAgentSchema } from "./sub-agent.ts";

/**
 * Sub-agents do a separate piece of work with tools of their own.
 *
 *     config/agents/<id>.yaml   one sub-agent each; `agents` of tools.yaml narrows its tools
 *     tool `task`               writes the turn of the sub-agent and the job that begins it
 *
 * The kernel runs that turn in parallel with the one that started it (`kernel/tasks`, `kernel/agent/sub-agents`).
 */
export const subAgents = defineFeature({
  name: "sub-agents",
  schemas: { agent: subAgentSchema },
  readFiles({ environment, findFolder, onFault }) {
    const { agents, faults } = loadSubAgents(findFolder("agents"), environment);
    faults.forEach(onFault);
    return agents;
  },
  configure(_values, files, own) {
    const { tools } = files as { readonly tools: Pick<z.output<ReturnType<typeof createToolsOptions>>, "agents"> };
    return narrowSubAgents(own as readonly SubAgent[], tools.agents);
  },
  make: (kernel, agents) => ({
    taskParts: { agents, start: createStartTask(kernel) },
    listAgents: () => listAgents(kernel.store, agents),
  }),
  soleTools: {
    task: async ({ taskParts }) => (await import("./task-tool.ts")).createTaskTool(taskParts),
  },
});
