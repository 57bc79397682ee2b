import { findLevel, type PermissionRules } from "../../tools/permission.ts";
import type { ToolRegistry } from "../../tools/registry.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** Chooses the tools this person is offered: a tool that could not run anyway is not shown to the model. */
export function createRoute(parts: { readonly registry: ToolRegistry; readonly rules: () => PermissionRules }) {
  return (state: TurnStateValue): TurnStateUpdate => {
    const rules = parts.rules();
    const { role } = state.input.person;
    const offered = parts.registry.list().filter((tool) => {
      const level = findLevel(tool, rules);
      if (level === "deny" || tool.availability?.().ok === false) return false;
      return role !== "guest" || (level === "safe" && tool.readOnly);
    });
    return { offered: offered.map((tool) => tool.name) };
  };
}
