import { canEverRun, type PermissionRules } from "../../tools/permission.ts";
import type { ToolRegistry } from "../../tools/registry.ts";
import { toToolPattern } from "../../tools/tool-pattern.ts";
import type { KnownTool } from "../../tools/types.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";
import type { TurnInput } from "../types.ts";

/** Chooses the tools this person is offered: a tool that they could never be allowed, whatever the arguments, is not shown to the model. */
export function createRoute(parts: { readonly registry: ToolRegistry; readonly rules: () => PermissionRules }) {
  return (state: TurnStateValue): TurnStateUpdate => {
    const rules = parts.rules();
    const { agent, person, report } = state.input;
    const offered = parts.registry.list().filter((tool) => {
      if (agent && !hasTool(agent, tool)) return false;
      if (report !== undefined && tool.name === "task") return false;
      return tool.availability?.().ok !== false && canEverRun(tool, person, rules, state.input);
    });
    return { offered: offered.map((tool) => tool.name) };
  };
}

/** What no sub-agent has, whatever its file says: it starts nobody, and has no past of its own to write to. */
const neverForAgents = ["task", "dmail"];

function hasTool({ tools, exclude }: NonNullable<TurnInput["agent"]>, { name }: KnownTool): boolean {
  const named = (patterns: readonly string[]) => patterns.some((pattern) => toToolPattern(pattern).test(name));
  return named(tools) && !named(exclude) && !neverForAgents.includes(name);
}
