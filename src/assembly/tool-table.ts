import { kernelTools, type KernelToolParts, type MakeTool } from "../kernel/tools/table/kernel-tools.ts";
import type { MadeFeature } from "../kernel/feature/make-features.ts";

/** The parts of tools. */
export interface ToolTableParts {
  readonly features: readonly MadeFeature[];
  readonly kernel: KernelToolParts;
}

/** Every tool of ours: the kernel's and those of features. */
export function createToolTable(parts: ToolTableParts): Readonly<Record<string, MakeTool>> {
  return {
    ...Object.fromEntries(
      Object.entries(kernelTools).map(([name, make]): [string, MakeTool] => [
        name,
        (options) => make(parts.kernel, options),
      ]),
    ),
    ...Object.fromEntries(parts.features.flatMap(({ tools }) => Object.entries(tools))),
  };
}
