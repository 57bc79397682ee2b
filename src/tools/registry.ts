import { z } from "zod";
import type { JsonObject, Language } from "../core/conversation.ts";
import type { Tool } from "./types.ts";

/** A tool as the model is told of it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** Every tool there is, by name. The first of two with one name wins; `exclude` takes names out. */
export interface ToolRegistry {
  find(name: string): Tool | undefined;
  list(): readonly Tool[];
}

export function createToolRegistry(tools: readonly Tool[], exclude: readonly string[] = []): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (!exclude.includes(tool.name) && !byName.has(tool.name)) byName.set(tool.name, tool);
  }
  return { find: (name) => byName.get(name), list: () => [...byName.values()] };
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

export function describeTool(tool: Tool, language: Language): OfferedTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.input, { io: "input" });
  const description = language === "zh" ? tool.description.zh : tool.description.en;
  return { name: tool.name, description, parameters: parameters as JsonObject };
}

/** The parsed arguments, or the broken rules in one sentence for the model. */
export function parseArguments(
  tool: Tool,
  given: JsonObject,
): { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly error: string } {
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return { ok: true, input: parsed.data };
  const rules = parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  return { ok: false, error: `Wrong arguments for ${tool.name}: ${rules.join("; ")}` };
}
