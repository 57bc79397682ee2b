import { AIMessageChunk } from "@langchain/core/messages";
import type { BaseMessageChunk, UsageMetadata } from "@langchain/core/messages";
import { AppError } from "../core/errors.ts";
import { createThoughtFilter } from "./hide-thoughts.ts";
import { readToolCalls } from "./read-tool-calls.ts";
import type { AnswerEnd } from "./read-tool-calls.ts";
import type { ModelAnswer, ModelEvent } from "./types.ts";

export interface AnswerCollector {
  /** Takes one piece of the stream; answers the new text that may be shown, and what was added to which call. */
  add(chunk: BaseMessageChunk): { readonly text: string; readonly calls: readonly CallEvent[] };
  /** The server has said why the answer ended; what still comes is only usage. */
  readonly ended: boolean;
  /** The first piece with text, thought or a call has come. */
  readonly begun: boolean;
  /** Throws MODEL_ANSWER_BROKEN when the stream did not end as the protocol promises. */
  finish(): Omit<ModelAnswer, "model"> & { readonly rest: string };
}

type CallEvent = Extract<ModelEvent, { kind: "call" }>;

interface OpenCall {
  readonly index: number | undefined;
  id: string;
  name: string;
  arguments: string;
}

/** Of one answer; far above what any model writes. More is a server out of hand. */
const most = { text: 1_000_000, arguments: 4_000_000, calls: 128, tokens: 1_000_000_000 };

/**
 * Joins the pieces of a streamed answer. LangChain's own joining is not used: it completes cut JSON by guessing and
 * glues repeated ids, names and finish reasons together.
 */
export function createAnswerCollector(): AnswerCollector {
  const thoughts = createThoughtFilter();
  const calls: OpenCall[] = [];
  let text = "";
  let reason: string | undefined;
  let begun = false;
  let length = 0;
  const told: { input?: number | undefined; output?: number | undefined; cachedInput?: number | undefined } = {};

  return {
    get ended() {
      return reason !== undefined;
    },
    get begun() {
      return begun;
    },
    add(chunk) {
      const written = readText(chunk);
      const answer = AIMessageChunk.isInstance(chunk) ? (chunk as AIMessageChunk) : undefined;
      const pieces = answer?.tool_call_chunks ?? [];
      length += written.length;
      if (length > most.text) throw tooLong(`more than ${most.text} characters`);
      const added = pieces.map((piece) => addPiece(calls, piece));
      if (calls.length > most.calls) throw tooLong(`more than ${most.calls} calls`);
      const argued = calls.reduce((sum, call) => sum + call.id.length + call.name.length + call.arguments.length, 0);
      if (argued > most.arguments) throw tooLong(`calls with more than ${most.arguments} characters`);
      reason = readFinishReason(chunk) ?? reason;
      const usage = answer?.usage_metadata as Partial<UsageMetadata> | undefined;
      told.input = takeLarger(told.input, usage?.input_tokens);
      told.output = takeLarger(told.output, usage?.output_tokens);
      told.cachedInput = takeLarger(told.cachedInput, usage?.input_token_details?.cache_read);
      begun ||= written !== "" || pieces.length > 0 || carriesThought(chunk);
      const shown = thoughts.add(written);
      text += shown;
      return { text: shown, calls: added };
    },
    finish() {
      if (reason === undefined) {
        throw new AppError("MODEL_ANSWER_BROKEN", "the stream ended before the answer was complete");
      }
      if (calls.length === 0 && promisesCalls(reason)) {
        throw new AppError("MODEL_ANSWER_BROKEN", "the server announced a tool call and sent none");
      }
      const end = readEnd(reason);
      const rest = thoughts.end();
      text += rest;
      return { text, rest, calls: readToolCalls(calls, end), cut: end.kind === "cut", usage: readUsage(told) };
    },
  };
}

function tooLong(what: string): AppError {
  return new AppError("MODEL_ANSWER_BROKEN", `the server sent ${what} in one answer`);
}

/** Some servers repeat the running total in every piece, so the largest number is the total. What is no count is passed over. */
function takeLarger(known: number | undefined, told: unknown): number | undefined {
  if (typeof told !== "number" || !(told >= 0 && told <= most.tokens)) return known;
  return Math.max(known ?? 0, Math.round(told));
}

/** Half a statement is none: nothing told is estimated (create-models.ts). */
function readUsage({
  input,
  output,
  cachedInput = 0,
}: Partial<Record<keyof ModelAnswer["usage"], number | undefined>>): ModelAnswer["usage"] {
  if (input === undefined || output === undefined) return { input: 0, output: 0, cachedInput: 0 };
  return { input, output, cachedInput: Math.min(cachedInput, input) };
}

interface CallPiece {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: unknown;
}

function addPiece(calls: OpenCall[], piece: CallPiece): CallEvent {
  const id = piece.id ?? "";
  const name = piece.name ?? "";
  const current = piece.index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === piece.index);
  // Some servers number every call 0 and tell them apart by id only.
  const another = id !== "" && current !== undefined && current.id !== "" && current.id !== id;
  const target: OpenCall =
    current === undefined || another || (piece.index === undefined && name !== "" && id === "")
      ? { index: piece.index, id, name: "", arguments: "" }
      : current;
  if (target !== current) calls.push(target);
  if (target.id === "") target.id = id;
  if (target.name !== name) target.name += name;
  const given = piece.args ?? "";
  const text = typeof given === "string" ? given : JSON.stringify(given);
  target.arguments += text;
  return { kind: "call", index: calls.indexOf(target), name: target.name.trim(), text };
}

function readText(chunk: BaseMessageChunk): string {
  if (typeof chunk.content === "string") return chunk.content;
  return chunk.content
    .map((block) => (block.type === "text" && typeof block.text === "string" ? block.text : ""))
    .join("");
}

function carriesThought(chunk: BaseMessageChunk): boolean {
  if (typeof chunk.additional_kwargs.reasoning_content === "string") return true;
  return typeof chunk.content !== "string" && chunk.content.some((block) => block.type === "thinking");
}

/** OpenAI's `finish_reason`, Anthropic's `stop_reason`. */
function readFinishReason(chunk: BaseMessageChunk): string | undefined {
  const reason: unknown = chunk.response_metadata.finish_reason ?? chunk.additional_kwargs.stop_reason;
  return typeof reason === "string" && reason !== "" ? reason : undefined;
}

function promisesCalls(reason: string): boolean {
  return reason === "tool_calls" || reason === "tool_use" || reason === "function_call";
}

function readEnd(reason: string): AnswerEnd {
  switch (reason) {
    case "stop":
    case "tool_calls":
    case "function_call":
    case "end_turn":
    case "tool_use":
    case "stop_sequence":
      return { kind: "whole" };
    case "length":
    case "max_tokens":
    case "model_length":
    case "model_context_window_exceeded":
      return { kind: "cut" };
    default:
      return { kind: "other", reason };
  }
}
