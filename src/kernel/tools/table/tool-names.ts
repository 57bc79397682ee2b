import { resolveAlias } from "../../gate/tool-aliases.ts";
import { kernelTools } from "./kernel-tools.ts";

/** The names of built-in tools: the kernel's and those of features. */
export interface ToolNames {
  /** Each of these can be replaced by another tool, and there can be a second tool of its kind. */
  readonly builtin: readonly [string, ...string[]];
  isBuiltin(name: string): boolean;
  /** Names that no file, request or second tool may take: built-in ones, their aliases, and those of MCP servers. */
  isOurs(name: string): boolean;
}

export function createToolNames(
  features: readonly { readonly tools?: object; readonly soleTools?: object }[],
): ToolNames {
  const named = (rows: object | undefined) => Object.keys(rows ?? {});
  const builtin = [kernelTools, ...features.map(({ tools }) => tools)].flatMap(named);
  const isBuiltin = (name: string) => builtin.includes(name);
  const sole = features.flatMap(({ soleTools }) => named(soleTools));
  return {
    builtin: builtin as [string, ...string[]],
    isBuiltin,
    isOurs: (name) => resolveAlias(name) !== name || isBuiltin(name) || sole.includes(name) || name.startsWith("mcp__"),
  };
}
