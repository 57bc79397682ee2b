import { z } from "zod";
import type { JsonObject, Language } from "../../core/conversation.ts";
import type { KnownTool } from "../gate/types.ts";

/** A tool as described to models and other agents. */
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

/** The same with cached schemas: converting all of them takes a millisecond, and a turn needs them in each round. */
export function createDescribeTool(): DescribeTool {
  const cache = new Map<Language, WeakMap<KnownTool, OfferedTool>>();
  return (tool, language) => {
    const described = cache.get(language) ?? new WeakMap<KnownTool, OfferedTool>();
    cache.set(language, described);
    const offered = described.get(tool) ?? describeTool(tool, language);
    described.set(tool, offered);
    return offered;
  };
}

function toSchema(tool: KnownTool): JsonObject {
  const { $schema: _, ...parameters } =
    tool.parameters ??
    z.toJSONSchema(tool.input, { io: "input", override: ({ jsonSchema }) => keepCommon(jsonSchema) });
  return parameters as JsonObject;
}

/**
 * Keeps only the keywords that every model server accepts. Gemini refuses requests with unknown ones
 * (ai.google.dev/api/caching#Schema). The omitted rules are still checked before a call runs.
 */
function keepCommon(schema: z.core.JSONSchema.BaseSchema): void {
  delete schema.propertyNames;
  if (schema.const !== undefined) schema.enum = [schema.const];
  delete schema.const;
  if (schema.oneOf !== undefined) schema.anyOf = schema.oneOf;
  delete schema.oneOf;
  const { additionalProperties: more } = schema;
  if (typeof more === "object" && Object.keys(more).length === 0) delete schema.additionalProperties;
  // The type integer says as much, in fewer tokens.
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
