import type { Store } from "../../../store/open-store.ts";
import type { ToolOptions } from "../tool-options.ts";
import type { Tool } from "../types.ts";

/** A tool with any input type. */
export type MadeTool = Pick<Tool<never>, "name" | "run">;

/** Creates a tool with the options of tools.yaml. */
export type MakeTool = (options: ToolOptions) => Promise<MadeTool>;

/** The dependencies of the tools in `builtin/`. */
export interface KernelToolParts {
  readonly store: Pick<Store, "main">;
  /** IANA time zone for people who named none. */
  readonly zone: () => string;
}

/**
 * Every tool of `builtin/`, one row each. A module is imported when its tool is created, and never if it is excluded.
 */
export const kernelTools: Readonly<
  Record<string, (parts: KernelToolParts, options: ToolOptions) => Promise<MadeTool>>
> = {
  time: async ({ zone }) => (await import("../builtin/time.ts")).createTimeTool({ defaultZone: zone() }),
  think: async () => (await import("../builtin/think.ts")).createThinkTool(),
  todo: async ({ store }) => (await import("../builtin/todo.ts")).createTodoTool({ database: () => store.main }),
};
