import { z } from "zod";
import type { JsonObject, Language } from "../../core/conversation.ts";
import type { KnownTool } from "../gate/types.ts";

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
  const { $schema: _, ...parameters } =
    tool.parameters ??
    z.toJSONSchema(tool.input, { io: "input", override: ({ jsonSchema }) => keepCommon(jsonSchema) });
  return parameters as JsonObject;
}

/**
 * Leaves the keywords that every model server reads. Gemini refuses a request for one that it does not know
 * (ai.google.dev/api/caching#Schema): what the others would say is checked before a call runs all the same.
 */
function keepCommon(schema: z.core.JSONSchema.BaseSchema): void {
  delete schema.propertyNames;
  if (schema.const !== undefined) schema.enum = [schema.const];
  delete schema.const;
  if (schema.oneOf !== undefined) schema.anyOf = schema.oneOf;
  delete schema.oneOf;
  const { additionalProperties: more } = schema;
  if (typeof more === "object" && Object.keys(more).length === 0) delete schema.additionalProperties;
  // "An integer" says as much, in fewer tokens.
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
