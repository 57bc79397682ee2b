import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { JsonObject } from "../core/conversation.ts";
import type { ToolDefinition } from "./types.ts";

/** The call options that tell a model of these tools, in its provider's own form. */
export type BindTools = (chatModel: BaseChatModel, tools: readonly ToolDefinition[]) => object;

interface Bound {
  readonly tools: readonly ToolDefinition[];
  readonly options: object;
}

/** As many lists of tools are remembered as there are kinds of people and skills at work. */
const mostRemembered = 16;

/** For the models of one provider. A list of the same tools is translated once. */
export function createBindTools(): BindTools {
  let known: readonly Bound[] = [];
  return (chatModel, tools) => {
    if (tools.length === 0 || chatModel.bindTools === undefined) return {};
    const found = known.find((bound) => isSameList(bound.tools, tools));
    if (found !== undefined) return found.options;
    // `bindTools` answers the model with these options as its configuration.
    const { config } = chatModel.bindTools(tools.map(toProviderTool)) as unknown as { readonly config: object };
    known = [{ tools, options: config }, ...known].slice(0, mostRemembered);
    return config;
  };
}

function isSameList(left: readonly ToolDefinition[], right: readonly ToolDefinition[]): boolean {
  return left.length === right.length && left.every((tool, index) => tool === right[index]);
}

interface ProviderTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
}

/**
 * The OpenAI shape, which the bindTools of every LangChain chat model understands. Both providers want an object at
 * the top; LangChain silently drops a tool for Anthropic whose schema is a choice there, so a choice is
 * shown as one object with the fields of all variants. The executor checks the real schema.
 */
function toProviderTool({ name, description, parameters }: ToolDefinition): ProviderTool {
  return { type: "function", function: { name, description, parameters: toObjectSchema(parameters) } };
}

function toObjectSchema(schema: JsonObject): JsonObject {
  const { anyOf, oneOf, allOf, $schema: _dialect, ...rest } = schema;
  const variants = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
  if (variants.length === 0) return { ...rest, type: "object", properties: rest.properties ?? {} };
  const fields = new Map<string, JsonObject[string][]>();
  for (const { properties } of [rest, ...variants]) {
    if (properties === undefined || !isObject(properties)) continue;
    for (const [key, value] of Object.entries(properties)) fields.set(key, [...(fields.get(key) ?? []), value]);
  }
  const merged = [...fields].map(([key, [first, ...others]]) => [
    key,
    first === undefined || others.length === 0 ? first : { anyOf: [first, ...others] },
  ]);
  return { ...rest, type: "object", properties: Object.fromEntries(merged) };
}

function isObject(value: JsonObject[string]): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
