import type { Language } from "../../core/conversation.ts";
import type { RuleMatch } from "../gate/find-rule-match.ts";
import { createFindRulePlace } from "../gate/find-rule-place.ts";
import { findLevel, findLevelMatch, type PermissionRules } from "../gate/permission.ts";
import type { KnownTool, ToolLevel } from "../gate/types.ts";
import { describeTool } from "./describe-tool.ts";
import type { ToolRegistry } from "./registry.ts";

export const toolFormats = ["openai", "anthropic", "mcp"] as const;
export type ToolFormat = (typeof toolFormats)[number];

/** A tool as `./kurisu tools list` shows it. */
export interface ToolRow {
  readonly name: string;
  readonly level: ToolLevel;
  readonly source: KnownTool["source"];
  /** The tool that acts, where it replaces this one. */
  readonly by?: string;
  readonly available: boolean;
  /** Only for a tool of an MCP server. */
  readonly state?: string;
  readonly description: string;
  /** Why it is not available. */
  readonly reason?: string;
}

interface Seen {
  readonly registry: Pick<ToolRegistry, "list">;
  readonly configuration: { readonly tools: PermissionRules; readonly language: Language };
}

/** `states` = the states of the tools of MCP servers, by their full names. */
export function listToolRows(
  { registry, configuration }: Seen,
  states: ReadonlyMap<string, string>,
): readonly ToolRow[] {
  return registry.list().map((tool) => {
    const availability = tool.availability?.() ?? { ok: true };
    const { name, override, source } = tool;
    const state = isOfServer(tool) ? states.get(name) : undefined;
    return {
      name,
      level: findLevel(tool, configuration.tools),
      source,
      ...(override && { by: override.by.name }),
      available: availability.ok,
      ...(state !== undefined && { state }),
      description: tool.description.en,
      ...(!availability.ok && { reason: availability.reason }),
    };
  });
}

/** A tool with the line that sets its level, for those who look at all of them. */
export interface DecidedToolRow extends ToolRow {
  readonly descriptions: KnownTool["description"];
  /** rule, list = a line of tools.yaml; else why none. */
  readonly decidedBy: "rule" | "list" | Extract<RuleMatch["by"], string>;
  /** Its line: `tools.yaml:12:5`. */
  readonly place?: string;
}

export function listDecidedToolRows(
  seen: Seen & { readonly configuration: { readonly configFolder: string } },
  states: ReadonlyMap<string, string>,
): readonly DecidedToolRow[] {
  const findPlace = createFindRulePlace(seen.configuration.configFolder);
  const rows = new Map(listToolRows(seen, states).map((row) => [row.name, row]));
  return seen.registry.list().flatMap((tool) => {
    const row = rows.get(tool.name);
    if (row === undefined) return [];
    const { by } = findLevelMatch(tool, seen.configuration.tools);
    const place = findPlace(by);
    const decidedBy = typeof by === "string" ? by : by.kind;
    return [{ ...row, descriptions: tool.description, decidedBy, ...(place !== undefined && { place }) }];
  });
}

/** The definitions as a model server or an MCP client wants them. */
export function defineTools({ registry, configuration }: Seen, format: ToolFormat): readonly object[] {
  const known = registry.list().filter((tool) => !isOfServer(tool) || tool.availability?.().ok !== false);
  const definitions = known.map((tool) => describeTool(tool, configuration.language));
  return definitions.map(({ name, description, parameters }) => {
    switch (format) {
      case "openai":
        return { type: "function", function: { name, description, parameters } };
      case "anthropic":
        return { name, description, input_schema: parameters };
      case "mcp":
        return { name, description, inputSchema: parameters };
    }
  });
}

const isOfServer = ({ name, source }: KnownTool): boolean => source !== "builtin" && name.startsWith("mcp__");
