import { AppError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/conversation.ts";
import type { AnswerPiece, CallPiece } from "../model-client.ts";
import type { BodyEvent } from "./read-body.ts";
import { findError, refusalOf } from "./server-refusal.ts";
import { isJsonObject } from "../../core/is-json-object.ts";

/**
 * Reads OpenAI's chat completions (platform.openai.com/docs/api-reference/chat-streaming) as the servers that copy them send
 * them: pieces or whole messages, content as text or blocks, thoughts in fields of the provider's own.
 */
export async function* readChatAnswer(events: AsyncIterable<BodyEvent>): AsyncGenerator<AnswerPiece> {
  const seen = { pieces: false, blocks: createBlockCounter(), answers: false };
  for await (const event of events) {
    if (event.kind === "done") yield { kind: "end" };
    else yield* readValue(event.value, seen);
  }
  if (!seen.answers)
    throw new AppError("MODEL_ANSWER_BROKEN", "the server's answer has no choices; is this its address?");
}

interface Seen {
  /** Something of the answer came in pieces: a whole message after them only repeats it. */
  pieces: boolean;
  /** Something had the form of an answer. */
  answers: boolean;
  readonly blocks: (type: unknown) => number;
}

function* readValue(value: unknown, seen: Seen): Generator<AnswerPiece> {
  const error = findError(value);
  if (error !== undefined) throw refusalOf(error);
  if (!isJsonObject(value)) return;
  const choice = Array.isArray(value["choices"]) ? (value["choices"] as readonly unknown[])[0] : undefined;
  const usage = findUsage(value, choice);
  seen.answers ||= Array.isArray(value["choices"]);
  if (usage) yield usage;
  if (!isJsonObject(choice)) {
    // The token counts come last, in a piece of their own.
    if (usage && Array.isArray(value["choices"])) yield { kind: "end" };
    return;
  }
  const { delta, message, text } = choice;
  if (isJsonObject(delta)) {
    for (const piece of readMessage(delta, seen)) {
      seen.pieces = true;
      yield piece;
    }
  } else if (isJsonObject(message)) {
    if (!seen.pieces) yield* readMessage(message, seen, true);
    yield { kind: "end" };
  } else if (typeof text === "string" && text !== "") yield { kind: "text", text };
  const reason = choice["finish_reason"];
  if (typeof reason === "string" && faults.has(reason))
    throw new AppError("MODEL_ANSWER_BROKEN", `the server ended the answer with ${reason}`);
  if (typeof reason === "string" && reason !== "") yield { kind: "end", reason };
}

/** Reasons that say that the answer is not all of it: of OpenRouter, DeepSeek, and GLM. */
const faults = new Set(["error", "insufficient_system_resource", "network_error"]);

/** Parts of a message that are read here; whatever else a provider puts there goes back to it. */
const known = new Set(["role", "content", "tool_calls", "function_call", "refusal", "audio", "annotations", "name"]);

function* readMessage(message: JsonObject, { blocks }: Seen, isWhole = false): Generator<AnswerPiece> {
  const fields = Object.fromEntries(
    Object.entries(message).filter(([key, value]) => !known.has(key) && value !== null),
  );
  if (Object.keys(fields).length > 0) yield { kind: "fields", fields };
  if (Object.entries(fields).some(([key, value]) => /reason|think|thought/i.test(key) && value !== ""))
    yield { kind: "thought" };
  const { content, refusal, tool_calls: calls, function_call: legacyCall } = message;
  yield* readContent(content, blocks);
  if (typeof refusal === "string" && refusal !== "") yield { kind: "text", text: refusal };
  const list: readonly unknown[] = Array.isArray(calls) ? calls : isJsonObject(calls) ? [calls] : [];
  for (const [place, call] of list.entries()) {
    if (isJsonObject(call)) yield { kind: "call", call: readCall(call, isWhole ? place : undefined) };
  }
  if (isJsonObject(legacyCall)) yield { kind: "call", call: readCall({ function: legacyCall }, undefined) };
}

function* readContent(content: unknown, blocks: Seen["blocks"]): Generator<AnswerPiece> {
  if (typeof content === "string") {
    if (content !== "") yield { kind: "text", text: content };
    return;
  }
  const list: readonly unknown[] = Array.isArray(content) ? content : isJsonObject(content) ? [content] : [];
  for (const block of list) {
    if (typeof block === "string") yield { kind: "text", text: block };
    if (!isJsonObject(block)) continue;
    const { text, type } = block;
    if (typeof text === "string" && (type === undefined || type === "text" || type === "output_text")) {
      blocks("text");
      if (text !== "") yield { kind: "text", text };
      continue;
    }
    yield { kind: "block", index: blocks(type), fields: block };
    yield { kind: "thought" };
  }
}

/** Neighbours of one type are parts of one block. */
function createBlockCounter(): (type: unknown) => number {
  let last: unknown;
  let index = -1;
  return (type) => {
    if (type !== last || index < 0) index += 1;
    last = type;
    return index;
  };
}

function readCall(call: JsonObject, place: number | undefined): CallPiece {
  const { id, index, type: _type, function: inner, ...fields } = call;
  const { name, arguments: written, ...functionFields } = isJsonObject(inner) ? inner : takeFlat(fields);
  const given = place ?? (index === null || index === undefined ? undefined : Number(index));
  return {
    index: given !== undefined && Number.isInteger(given) ? given : undefined,
    id: typeof id === "string" ? id : undefined,
    name: typeof name === "string" ? name : undefined,
    arguments: readArguments(written),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(Object.keys(functionFields).length > 0 && { functionFields }),
  };
}

/** Some servers put name and arguments beside the id. */
function takeFlat(fields: Record<string, JsonObject[string]>): JsonObject {
  const { arguments: written, name } = fields;
  delete fields["name"];
  delete fields["arguments"];
  return { ...(name !== undefined && { name }), ...(written !== undefined && { arguments: written }) };
}

function readArguments(written: unknown): string {
  if (typeof written === "string") return written;
  return written === undefined || written === null ? "" : JSON.stringify(written);
}

function findUsage(value: JsonObject, choice: unknown): Extract<AnswerPiece, { kind: "usage" }> | undefined {
  const groq = isJsonObject(value["x_groq"]) ? value["x_groq"]["usage"] : undefined;
  const usage = [value["usage"], groq, isJsonObject(choice) ? choice["usage"] : undefined].find(isJsonObject);
  if (!usage) return undefined;
  const details = usage["prompt_tokens_details"];
  const cached = isJsonObject(details) ? details["cached_tokens"] : usage["prompt_cache_hit_tokens"];
  return {
    kind: "usage",
    input: toCount(usage["prompt_tokens"]),
    output: toCount(usage["completion_tokens"]),
    cachedInput: toCount(cached),
  };
}

function toCount(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
