import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessageChunk } from "@langchain/core/messages";
import { createAnswerCollector } from "./collect-answer.ts";
import { prepareMessages } from "./prepare-messages.ts";
import { readInTime, type TimeLimits } from "./read-in-time.ts";
import type { ModelAnswer, ModelEvent, ModelRequest, ToolDefinition } from "./types.ts";
import type { JsonObject } from "../core/conversation.ts";

interface OneAsking {
  readonly chatModel: BaseChatModel;
  readonly request: ModelRequest;
  readonly limits: TimeLimits;
  readonly onText: (text: string) => void;
  readonly onCall: (piece: Extract<ModelEvent, { kind: "call" }>) => void;
}

/** Asks one model once and reads its whole answer. Throws the fault unjudged. */
export async function collectStream(asking: OneAsking): Promise<Omit<ModelAnswer, "model">> {
  const { chatModel, request, limits, onText, onCall } = asking;
  const collector = createAnswerCollector();
  const messages = prepareMessages(request.messages);
  const tools = request.tools.map(toProviderTool);
  const runnable = tools.length > 0 && chatModel.bindTools !== undefined ? chatModel.bindTools(tools) : chatModel;

  await readInTime<AIMessageChunk>({
    open: (signal) => runnable.stream(messages, { signal }),
    limits,
    signal: request.signal,
    take: (chunk) => {
      const { text, calls } = collector.add(chunk);
      if (text !== "") onText(text);
      for (const piece of calls) if (piece.text !== "") onCall(piece);
      if (collector.ended) return "ended";
      return collector.begun ? "begun" : "waiting";
    },
  });
  const { rest, ...answer } = collector.finish();
  if (rest !== "") onText(rest);
  return answer;
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
