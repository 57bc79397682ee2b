import { z } from "zod";
import type { JsonObject, Language } from "../core/conversation.ts";
import type { KnownTool } from "../policy/types.ts";

/** A tool as models and other agents read of it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

export type DescribeTool = (tool: KnownTool, language: Language) => OfferedTool;

export const describeTool: DescribeTool = (tool, language) => ({
  name: tool.name,
  description: language === "zh" ? tool.description.zh : tool.description.en,
  parameters: toSchema(tool),
});

/** The same with the schemas remembered: all of them take a millisecond, and a turn needs them at each round. */
export function createDescribeTool(): DescribeTool {
  const known = new Map<Language, WeakMap<KnownTool, OfferedTool>>();
  return (tool, language) => {
    const described = known.get(language) ?? new WeakMap<KnownTool, OfferedTool>();
    known.set(language, described);
    const offered = described.get(tool) ?? describeTool(tool, language);
    described.set(tool, offered);
    return offered;
  };
}

function toSchema(tool: KnownTool): JsonObject {
  const { $schema: _, ...parameters } = tool.parameters ?? z.toJSONSchema(tool.input, { io: "input" });
  return parameters as JsonObject;
}
