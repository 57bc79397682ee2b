import type { createTaskTool } from "../features/sub-agents/task-tool.ts";
import { kernelTools, type KernelToolParts, type MakeTool } from "../kernel/tools/table/kernel-tools.ts";
import type { MadeFeature } from "../kernel/feature/make-features.ts";
import type { OwnTools } from "../features/own-tools/own-tools.ts";

/** The parts of tools. */
export interface ToolTableParts {
  readonly features: readonly MadeFeature[];
  readonly kernel: KernelToolParts;
  /** The parts of `task`. */
  readonly task: Parameters<typeof createTaskTool>[0];
  /** Those of config/tools. */
  readonly own: OwnTools;
}

/** Every tool of ours: the kernel's, those of features, and those whose features have no definition yet. */
export function createToolTable(parts: ToolTableParts): Readonly<Record<string, MakeTool>> {
  return {
    ...Object.fromEntries(
      Object.entries(kernelTools).map(([name, make]): [string, MakeTool] => [
        name,
        (options) => make(parts.kernel, options),
      ]),
    ),
    ...Object.fromEntries(parts.features.flatMap(({ tools }) => Object.entries(tools))),
    task: async () => (await import("../features/sub-agents/task-tool.ts")).createTaskTool(parts.task),
    use_tool: async () => (await import("../features/own-tools/use-tool.ts")).createUseToolTool({ own: parts.own }),
  };
}
