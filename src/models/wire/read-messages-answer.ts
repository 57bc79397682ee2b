import type { JsonObject } from "../../core/conversation.ts";
import type { AnswerPiece } from "../model-client.ts";
import type { BodyEvent } from "./read-body.ts";
import { findError, refusalOf } from "./server-refusal.ts";
import { isJsonObject } from "../../core/is-json-object.ts";

/** Reads Anthropic's messages (docs.anthropic.com, "Streaming messages"), streamed or whole. */
export async function* readMessagesAnswer(events: AsyncIterable<BodyEvent>): AsyncGenerator<AnswerPiece> {
  for await (const event of events) {
    if (event.kind === "done") yield { kind: "end" };
    else yield* readValue(event.value);
  }
}

function* readValue(value: unknown): Generator<AnswerPiece> {
  const error = findError(value);
  if (error !== undefined) throw refusalOf(error);
  if (!isJsonObject(value)) return;
  const { content, content_block: block, delta, message, type, usage } = value;
  const index = typeof value["index"] === "number" ? value["index"] : 0;
  switch (typeof type === "string" ? type : "") {
    case "message_start":
      if (isJsonObject(message)) yield readUsage(message["usage"]);
      return;
    case "content_block_start":
      if (isJsonObject(block)) yield* readBlock(index, block);
      return;
    case "content_block_delta":
      if (isJsonObject(delta)) yield* readDelta(index, delta);
      return;
    case "message_delta":
      yield readUsage(usage);
      if (isJsonObject(delta)) yield* readEnd(delta["stop_reason"]);
      return;
    case "message_stop":
      yield { kind: "end" };
      return;
    case "message": {
      const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
      for (const [place, one] of blocks.entries()) if (isJsonObject(one)) yield* readBlock(place, one);
      yield readUsage(usage);
      yield* readEnd(value["stop_reason"]);
      yield { kind: "end" };
    }
  }
}

function* readBlock(index: number, block: JsonObject): Generator<AnswerPiece> {
  const { id, input, name, text, type, ...fields } = block;
  if (type === "text") {
    yield { kind: "block", index, fields: { type } };
    if (typeof text === "string" && text !== "") yield { kind: "text", text };
    return;
  }
  if (type !== "tool_use") {
    yield { kind: "block", index, fields: block };
    yield { kind: "thought" };
    return;
  }
  yield { kind: "block", index, fields: { type: "call" } };
  const given = isJsonObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : undefined;
  yield {
    kind: "call",
    call: {
      index,
      id: typeof id === "string" ? id : undefined,
      name: typeof name === "string" ? name : undefined,
      arguments: typeof input === "string" ? input : "",
      input: given,
      ...(Object.keys(fields).length > 0 && { fields }),
    },
  };
}

function* readDelta(index: number, delta: JsonObject): Generator<AnswerPiece> {
  const { partial_json: json, text, type, ...fields } = delta;
  if (typeof json === "string") yield { kind: "call", call: { index, arguments: json } };
  else if (typeof text === "string") yield text === "" ? { kind: "thought" } : { kind: "text", text };
  else if (type === "thinking_delta" || type === "signature_delta") {
    yield { kind: "block", index, fields };
    yield { kind: "thought" };
  }
}

function* readEnd(reason: unknown): Generator<AnswerPiece> {
  if (typeof reason === "string" && reason !== "") yield { kind: "end", reason };
}

/** Anthropic counts what it read from its cache, and what it wrote there, beside the rest. */
function readUsage(usage: unknown): AnswerPiece {
  if (!isJsonObject(usage)) return { kind: "usage" };
  const count = (key: string): number | undefined => (typeof usage[key] === "number" ? usage[key] : undefined);
  const input = count("input_tokens");
  const cachedInput = count("cache_read_input_tokens");
  return {
    kind: "usage",
    input: input === undefined ? undefined : input + (cachedInput ?? 0) + (count("cache_creation_input_tokens") ?? 0),
    output: count("output_tokens"),
    cachedInput,
  };
}
