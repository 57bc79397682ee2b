import { createTaskTool } from "../../../src/features/sub-agents/task-tool.ts";

export const examples = { task: { description: "Find the newest file." } };
export const answersHere = [];
export const create = () => [
  createTaskTool({ agents: () => [], start: async () => ({ kind: "refused", reason: "None runs here." }) }),
];
