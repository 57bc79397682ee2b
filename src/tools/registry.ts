import { z } from "zod";
import type { JsonObject, Language } from "../core/conversation.ts";
import { sealTool, type SealedTool } from "./sealed-tool.ts";
import type { KnownTool, Tool, ToolSource } from "./types.ts";

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
}

export function createToolRegistry(
  tools: readonly Tool[],
  { conflicts = [], onConflict }: RegistryOptions = {},
): ToolRegistry {
  const byName = new Map<string, Tool>();
  const rank = ({ source }: Tool): number =>
    conflicts.includes(source) ? conflicts.indexOf(source) : conflicts.length;
  for (const tool of tools.toSorted((a, b) => rank(a) - rank(b))) {
    const winner = byName.get(tool.name);
    if (winner) onConflict?.(winner, tool);
    else byName.set(tool.name, tool);
  }
  const sealed = new Map([...byName].map(([name, tool]) => [name, sealTool(tool)]));
  return { find: (name) => sealed.get(name), list: () => [...sealed.values()] };
}

/** The tool with what the operator set for it. */
export function limitTool(tool: Tool, options: { readonly timeoutMs?: number } = {}): Tool {
  const { timeoutMs } = options;
  if (timeoutMs === undefined) return tool;
  const { onCopy } = tool;
  return {
    ...tool,
    timeoutMs: () => timeoutMs,
    ...(onCopy && { onCopy: (copy) => limitTool(onCopy(copy), options) }),
  };
}

export function describeTool(tool: KnownTool, language: Language): OfferedTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.input, { io: "input" });
  const description = language === "zh" ? tool.description.zh : tool.description.en;
  return { name: tool.name, description, parameters: parameters as JsonObject };
}

/** The parsed arguments, or the broken rules in one sentence for the model. */
export function parseArguments(
  tool: KnownTool,
  given: JsonObject,
): { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly error: string } {
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return { ok: true, input: parsed.data };
  const rules = parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  return { ok: false, error: `Wrong arguments for ${tool.name}: ${rules.join("; ")}` };
}
