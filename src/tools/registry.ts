import { z } from "zod";
import type { JsonObject, Language } from "../core/conversation.ts";
import { overrideTool } from "./override-tool.ts";
import { sealTool, type SealedTool } from "./sealed-tool.ts";
import type { Tool } from "./types.ts";
import type { KnownTool, ToolSource } from "../policy/types.ts";

/** A tool as the model is told of it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** Every tool there is, by name. None of them can be run but by the executor. */
export interface ToolRegistry {
  find(name: string): SealedTool | undefined;
  list(): readonly SealedTool[];
}

interface RegistryOptions {
  /** Whose tool wins when two have one name: that of the earlier source, then the earlier tool. */
  readonly conflicts?: readonly ToolSource[];
  readonly onConflict?: (winner: Tool, loser: Tool) => void;
  /** Tools that come and go; the same list for as long as nothing has changed. New ones stand at its end. */
  readonly coming?: () => readonly Tool[];
  /** By the names of built-in tools: the names of those that stand in for them, which are not listed under their own. */
  readonly overrides?: Readonly<Record<string, string>>;
}

export function createToolRegistry(
  tools: readonly Tool[],
  { conflicts = [], onConflict, coming = () => none, overrides = {} }: RegistryOptions = {},
): ToolRegistry {
  const rank = ({ source }: Tool): number =>
    conflicts.includes(source) ? conflicts.indexOf(source) : conflicts.length;
  const merge = (all: readonly Tool[]): ReadonlyMap<string, SealedTool> => {
    const byName = new Map<string, Tool>();
    for (const tool of all.toSorted((a, b) => rank(a) - rank(b))) {
      const winner = byName.get(tool.name);
      if (winner) onConflict?.(winner, tool);
      else byName.set(tool.name, tool);
    }
    const overridden = Object.entries(overrides).flatMap(([name, by]) => {
      const replaced = byName.get(name);
      return replaced ? [overrideTool(replaced, by, byName.get(by))] : [];
    });
    for (const tool of overridden) byName.set(tool.name, tool);
    return new Map([...byName].map(([name, tool]) => [name, sealTool(tool)]));
  };
  let seen = coming();
  let byName = merge([...tools, ...seen]);
  const current = (): ReadonlyMap<string, SealedTool> => {
    const now = coming();
    if (now !== seen) {
      seen = now;
      byName = merge([...tools, ...now]);
    }
    return byName;
  };
  const taken = new Set(Object.values(overrides));
  return {
    find: (name) => current().get(name),
    list: () => [...current().values()].filter(({ name }) => !taken.has(name)),
  };
}

/** Whether a tool is there and works here now. */
export function isToolAvailable({ find }: ToolRegistry, name: string): boolean {
  const tool = find(name);
  return tool !== undefined && tool.availability?.().ok !== false;
}

const none: readonly Tool[] = [];

/** What the operator set for any tool; `name` = a second one of its kind goes by this name. */
interface ToolSettings {
  readonly name?: string;
  readonly timeoutMs?: number;
  readonly description?: Tool["description"];
}

/** The tool with what the operator set for it. */
export function applySettings(tool: Tool, settings: ToolSettings = {}): Tool {
  const { name, timeoutMs, description } = settings;
  const renamed = name !== undefined && name !== tool.name;
  if (!renamed && timeoutMs === undefined && description === undefined) return tool;
  const { onCopy } = tool;
  return {
    ...tool,
    // The names of other agents mean the first of its kind.
    ...(renamed && { name, aliases: [] }),
    ...(description && { description }),
    ...(timeoutMs !== undefined && { timeoutMs: () => timeoutMs }),
    ...(onCopy && { onCopy: (copy) => applySettings(onCopy(copy), settings) }),
  };
}

export function describeTool(tool: KnownTool, language: Language): OfferedTool {
  const { $schema: _, ...parameters } = tool.parameters ?? z.toJSONSchema(tool.input, { io: "input" });
  const description = language === "zh" ? tool.description.zh : tool.description.en;
  return { name: tool.name, description, parameters: parameters as JsonObject };
}
