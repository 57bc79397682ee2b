import type { Language } from "../../core/conversation.ts";
import { findLevel, type PermissionRules } from "../gate/permission.ts";
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
