import { AppError } from "../core/errors.ts";
import { createCallCollector } from "./collect-calls.ts";
import { createThoughtFilter } from "./hide-thoughts.ts";
import { addFields, boundKept } from "./add-fields.ts";
import type { AnswerPiece } from "./model-client.ts";
import { readToolCalls } from "./read-tool-calls.ts";
import type { AnswerEnd } from "./read-tool-calls.ts";
import type { ModelAnswer, ModelEvent, ToolDefinition } from "./types.ts";

export interface AnswerCollector {
  /** Takes one piece of the answer; answers the new text that may be shown, and what was added to a call. */
  add(piece: AnswerPiece): {
    readonly text: string;
    readonly call?: CallEvent;
    /** The text before was a thought, and this is the beginning. */
    readonly isVoid?: true;
  };
  /** The server has ended the answer; only usage may follow. */
  readonly ended: boolean;
  /** The first piece with text, thought or a call has come. */
  readonly begun: boolean;
  /** Throws MODEL_ANSWER_BROKEN when the answer did not end as the protocol promises. */
  finish(): Omit<ModelAnswer, "model"> & { readonly rest: string; readonly thoughtUnopened: boolean };
}

type CallEvent = Extract<ModelEvent, { kind: "call" }>;

/** Per answer; far above what any model writes. More is a server out of hand. */
const max = { text: 1_000_000, arguments: 4_000_000, fields: 8_000_000, calls: 128, tokens: 1_000_000_000 };

/** Joins the pieces of one answer. */
export function createAnswerCollector({
  source,
  tools,
  holds,
}: {
  /** The source of the kept fields; see KeptAnswer. */
  readonly source: string;
  readonly tools: readonly ToolDefinition[];
  /** Text is held back until it is clear that the answer does not begin with an unopened thought. */
  readonly holds: boolean;
}): AnswerCollector {
  let thinksApart = false;
  const thoughts = createThoughtFilter({ holds: () => holds && !thinksApart, thinksApart: () => thinksApart });
  const calls = createCallCollector((name) => tools.some((tool) => tool.name === name));
  const fields: Parameters<typeof addFields>[0] = {};
  const blocks = new Map<number, Parameters<typeof addFields>[0]>();
  let text = "";
  let reason: string | undefined;
  let ended = false;
  let begun = false;
  const length = { text: 0, arguments: 0, fields: 0 };
  const told: { input?: number | undefined; output?: number | undefined; cachedInput?: number | undefined } = {};

  function count(what: keyof typeof length, added: number, words: string): void {
    length[what] += added;
    if (length[what] > max[what]) throw tooLong(`${words} of more than ${max[what]} characters`);
  }

  return {
    get ended() {
      return ended;
    },
    get begun() {
      return begun;
    },
    add(piece) {
      switch (piece.kind) {
        case "text": {
          begun = true;
          count("text", piece.text.length, "a text");
          const shown = thoughts.add(piece.text);
          if (thoughts.takeVoid()) {
            text = shown;
            return { text: shown, isVoid: true };
          }
          text += shown;
          return { text: shown };
        }
        case "call": {
          begun = true;
          const { arguments: written, id = "", input = "", name = "" } = piece.call;
          count("arguments", written.length + id.length + name.length + input.length, "calls");
          const call = calls.add(piece.call);
          if (calls.count > max.calls) throw tooLong(`more than ${max.calls} calls`);
          return { text: "", call };
        }
        case "thought":
          begun = true;
          thinksApart = true;
          break;
        case "fields":
          count("fields", JSON.stringify(piece.fields).length, "fields");
          addFields(fields, piece.fields);
          break;
        case "block": {
          count("fields", JSON.stringify(piece.fields).length, "blocks");
          const block = blocks.get(piece.index) ?? {};
          addFields(block, piece.fields);
          blocks.set(piece.index, block);
          break;
        }
        case "usage":
          told.input = takeLarger(told.input, piece.input);
          told.output = takeLarger(told.output, piece.output);
          told.cachedInput = takeLarger(told.cachedInput, piece.cachedInput);
          break;
        case "end":
          ended = true;
          reason = piece.reason ?? reason;
      }
      return { text: "" };
    },
    finish() {
      if (!ended) throw new AppError("MODEL_ANSWER_BROKEN", "the stream ended before the answer was complete");
      if (calls.count === 0 && promisesCalls(reason ?? "")) {
        throw new AppError("MODEL_ANSWER_BROKEN", "the server announced a tool call and sent none");
      }
      const end = readEnd(reason);
      const rest = thoughts.end();
      text += rest;
      const { kept, written } = calls.finish();
      const needsArguments = (name: string): boolean => requiresSomething(tools.find((tool) => tool.name === name));
      const opaque = boundKept({
        from: source,
        ...(Object.keys(fields).length > 0 && { fields }),
        ...([...blocks.values()].some(({ type }) => type !== "text" && type !== "call") && {
          blocks: [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block),
        }),
        ...(kept.some((call) => Object.keys(call).length > 0) && { calls: kept }),
      });
      return {
        text,
        rest,
        calls: readToolCalls(written, end, needsArguments),
        cut: end.kind === "cut",
        usage: readUsage(told),
        ...(opaque && { kept: opaque }),
        thoughtUnopened: thoughts.endsUnopened,
      };
    },
  };
}

function requiresSomething(tool: ToolDefinition | undefined): boolean {
  const required = tool?.parameters["required"];
  return Array.isArray(required) && required.length > 0;
}

function tooLong(what: string): AppError {
  return new AppError("MODEL_ANSWER_BROKEN", `the server sent ${what} in one answer`);
}

/** Some servers repeat the running total in every piece, so the largest number is the total. What is no count is passed over. */
function takeLarger(known: number | undefined, told: unknown): number | undefined {
  if (typeof told !== "number" || !(told >= 0 && told <= max.tokens)) return known;
  return Math.max(known ?? 0, Math.round(told));
}

/** A report of only one count is ignored; missing usage is estimated (create-models.ts). */
function readUsage({
  input,
  output,
  cachedInput = 0,
}: Partial<Record<keyof ModelAnswer["usage"], number | undefined>>): ModelAnswer["usage"] {
  if (input === undefined || output === undefined) return { input: 0, output: 0, cachedInput: 0 };
  return { input, output, cachedInput: Math.min(cachedInput, input) };
}

function promisesCalls(reason: string): boolean {
  return reason === "tool_calls" || reason === "tool_use" || reason === "function_call";
}

const whole = new Set([
  "stop",
  "tool_calls",
  "function_call",
  "end_turn",
  "tool_use",
  "stop_sequence",
  "eos",
  "eos_token",
  "end",
  "complete",
  "completed",
  "finished",
]);
const cut = new Set([
  "length",
  "max_tokens",
  "max_output_tokens",
  "model_length",
  "model_context_window_exceeded",
  "context_length_exceeded",
]);

/** OpenAI's `finish_reason`, Anthropic's `stop_reason`, and what others write there; none = the end mark was enough. */
function readEnd(reason: string | undefined): AnswerEnd {
  const known = reason?.toLowerCase().replaceAll("-", "_");
  if (known === undefined || whole.has(known)) return { kind: "whole" };
  return cut.has(known) ? { kind: "cut" } : { kind: "other", reason: known };
}
