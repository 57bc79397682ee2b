import type { JsonObject } from "../../core/conversation.ts";
import type { ToolDefinition } from "../types.ts";
import { isJsonObject } from "../../core/is-json-object.ts";

/** Translates a tool once, however often it is offered. */
export function createToolWriter<Written extends object>(
  write: (tool: ToolDefinition, parameters: JsonObject) => Written,
): (tool: ToolDefinition) => Written {
  const known = new WeakMap<ToolDefinition, Written>();
  return (tool) => {
    const found = known.get(tool) ?? write(tool, toObjectSchema(tool.parameters));
    known.set(tool, found);
    return found;
  };
}

/**
 * Providers want an object at the top of a schema, so a choice is shown as one object with the fields of all its variants. The
 * executor checks the real schema.
 */
function toObjectSchema(schema: JsonObject): JsonObject {
  const { anyOf, oneOf, allOf, $schema: _dialect, ...rest } = schema;
  const variants = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  if (variants.length === 0) return { ...rest, type: "object", properties: rest.properties ?? {} };
  const fields = new Map<string, JsonObject[string][]>();
  for (const { properties } of [rest, ...variants]) {
    if (properties === undefined || !isJsonObject(properties)) continue;
    for (const [key, value] of Object.entries(properties)) fields.set(key, [...(fields.get(key) ?? []), value]);
  }
  const merged = [...fields].map(([key, [first, ...others]]) => [
    key,
    first === undefined || others.length === 0 ? first : { anyOf: [first, ...others] },
  ]);
  return { ...rest, type: "object", properties: Object.fromEntries(merged) };
}
