import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../core/conversation.ts";
import { overrideTool } from "./override-tool.ts";
import { sealTool, type SealedTool } from "./sealed-tool.ts";
import type { Tool } from "./types.ts";
import type { ToolSource } from "../gate/types.ts";

/** Every tool by name. Only the executor can run them. */
export interface ToolRegistry {
  find(name: string): SealedTool | undefined;
  list(): readonly SealedTool[];
}

interface RegistryOptions {
  /** The winner when two tools share a name: the one of the earlier source, then the earlier tool. */
  readonly conflicts?: () => readonly ToolSource[];
  readonly onConflict?: (winner: Tool, loser: Tool) => void;
  /** Names of replacing tools by the built-in they replace; they are not listed under their own names. */
  readonly overrides?: () => Readonly<Partial<Record<string, string>>>;
}

/** The same during assembly. */
export interface GrowingRegistry extends ToolRegistry {
  /** Adds tools that can change. The source returns the same list while nothing has changed; new tools come last. */
  add(source: () => readonly Tool[]): void;
}

export function createToolRegistry(
  tools: readonly Tool[],
  { conflicts = () => [], onConflict, overrides = () => ({}) }: RegistryOptions = {},
): GrowingRegistry {
  const merge = (all: readonly Tool[]): ReadonlyMap<string, SealedTool> => {
    const { order, standIns } = settings;
    const rank = ({ source }: Tool): number => (order.includes(source) ? order.indexOf(source) : order.length);
    const byName = new Map<string, Tool>();
    for (const tool of all.toSorted((a, b) => rank(a) - rank(b))) {
      const winner = byName.get(tool.name);
      if (winner) onConflict?.(winner, tool);
      else byName.set(tool.name, tool);
    }
    const overridden = Object.entries(standIns).flatMap(([name, by]) => {
      const replaced = byName.get(name);
      return replaced && by !== undefined ? [overrideTool(replaced, by, byName.get(by))] : [];
    });
    for (const tool of overridden) byName.set(tool.name, tool);
    return new Map([...byName].map(([name, tool]) => [name, sealTool(tool)]));
  };
  const sources: (() => readonly Tool[])[] = [];
  let seen: readonly (readonly Tool[])[] = [];
  let settings = { order: conflicts(), standIns: overrides() };
  let byName = merge(tools);
  /** Equal contents in new objects are no change. */
  const haveSettingsChanged = (): boolean => {
    const next = { order: conflicts(), standIns: overrides() };
    if (next.order === settings.order && next.standIns === settings.standIns) return false;
    const isAlike = isDeepStrictEqual(next, settings);
    settings = next;
    return !isAlike;
  };
  const current = (): ReadonlyMap<string, SealedTool> => {
    const now = sources.map((list) => list());
    const isChanged = now.length !== seen.length || now.some((list, index) => list !== seen[index]);
    if (haveSettingsChanged() || isChanged) {
      seen = now;
      byName = merge([...tools, ...now.flat()]);
    }
    return byName;
  };
  return {
    find: (name) => current().get(name),
    list() {
      const standIns = Object.values(overrides());
      return [...current().values()].filter(({ name }) => !standIns.includes(name));
    },
    add: (source) => void sources.push(source),
  };
}

/** Whether a tool exists and works here now. */
export function isToolAvailable({ find }: ToolRegistry, name: string): boolean {
  const tool = find(name);
  return tool !== undefined && tool.availability?.().ok !== false;
}

/** The operator's settings for any tool; `name` makes a second tool of its kind with this name. */
interface ToolSettings {
  readonly name?: string;
  readonly timeoutMs?: number;
  readonly description?: Tool["description"];
  /** The options of its kind. */
  readonly [option: string]: unknown;
}

/** Applies the operator's settings to a tool. */
export function applySettings(tool: Tool, settings: ToolSettings = {}): Tool {
  const { name, timeoutMs, description, ...options } = settings;
  const renamed = name !== undefined && name !== tool.name;
  const definition = JSON.parse(JSON.stringify(options)) as JsonObject;
  const isDefined = Object.keys(definition).length > 0;
  if (!renamed && !isDefined && timeoutMs === undefined && description === undefined) return tool;
  const { onCopy } = tool;
  return {
    ...tool,
    // The names that other agents use mean the first tool of its kind.
    ...(renamed && { name, aliases: [] }),
    ...(isDefined && { definition }),
    ...(description && { description }),
    ...(timeoutMs !== undefined && { timeoutMs: () => timeoutMs }),
    ...(onCopy && { onCopy: (copy) => applySettings(onCopy(copy), settings) }),
  };
}
