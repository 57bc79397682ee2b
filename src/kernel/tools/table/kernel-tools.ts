import type { Store } from "../../../store/open-store.ts";
import type { ToolOptions } from "../tool-options.ts";
import type { Tool } from "../types.ts";

/** A tool of any input. */
export type MadeTool = Pick<Tool<never>, "name" | "run">;

/** Makes a tool with the options of tools.yaml. */
export type MakeTool = (options: ToolOptions) => Promise<MadeTool>;

/** The parts of the tools of `builtin/`. */
export interface KernelToolParts {
  readonly store: Pick<Store, "main">;
  /** IANA time zone of people who named none. */
  readonly zone: () => string;
}

/** Every tool of `builtin/`, one row each. A module is imported when its tool is made, and one that is excluded never. */
export const kernelTools: Readonly<
  Record<string, (parts: KernelToolParts, options: ToolOptions) => Promise<MadeTool>>
> = {
  time: async ({ zone }) => (await import("../builtin/time.ts")).createTimeTool({ defaultZone: zone() }),
  think: async () => (await import("../builtin/think.ts")).createThinkTool(),
  todo: async ({ store }) => (await import("../builtin/todo.ts")).createTodoTool({ database: () => store.main }),
};
