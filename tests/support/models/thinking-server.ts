import { untilTestEnds, type KeepUntil } from "../keep-until.ts";
import { serveRequests } from "./serve-requests.ts";
import {
  anthropicEvent,
  anthropicStart,
  anthropicStop,
  anthropicText,
  openaiDelta,
  openaiDone,
  openaiFinish,
  openaiText,
} from "./wire-events.ts";

export type Dialect = "deepseek" | "gemini" | "anthropic";

/** What the model does with a message: it calls a tool, or says something. */
export type Step = { readonly call: { readonly name: string; readonly arguments: object } } | { readonly say: string };

export interface ThinkingServer {
  /** The variables that make Kurisu ask it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Requests that were not as the provider wants them, with the reason. */
  readonly refused: readonly string[];
  /** How many calls of earlier answers came back with what belongs to them. */
  recognized(): number;
}

/** Nobody may ever read it: what the model thinks. */
export const secretThought = "canary-thought-77c1";

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly reasoning_content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly extra_content?: unknown }[];
}

/**
 * A provider of thinking models that is as strict as the real ones: every call of an earlier answer must come back with
 * exactly what was sent beside it, under its id, or the request is refused.
 */
export async function startThinkingServer(
  dialect: Dialect,
  next: (words: string, results: number) => Step,
  keep: KeepUntil = untilTestEnds,
): Promise<ThinkingServer> {
  const refused: string[] = [];
  /** By the id of a call: what was sent beside it. */
  const sent = new Map<string, unknown>();
  let recognized = 0;

  const url = await serveRequests(async ({ body, response, send }) => {
    const { messages } = JSON.parse(body.toString()) as { readonly messages: readonly Message[] };
    const problem = findProblem(messages);
    if (problem !== undefined) {
      refused.push(problem);
      const error = { code: 400, message: problem, type: "invalid_request_error", status: "INVALID_ARGUMENT" };
      return send(400, dialect === "gemini" ? [{ error }] : { type: "error", error });
    }
    const step = next(readWords(messages), countResults(messages));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(dialect === "anthropic" ? answerAsAnthropic(step) : answerAsOpenAi(step));
    return undefined;
  }, keep);

  function findProblem(messages: readonly Message[]): string | undefined {
    for (const [place, message] of messages.entries()) {
      for (const { beside, id } of listCalls(message)) {
        const expected = sent.get(id);
        if (expected === undefined) return `messages[${place}]: ${missing[dialect]} (call ${id} is not one of ours)`;
        if (JSON.stringify(beside) !== JSON.stringify(expected)) return `messages[${place}]: ${missing[dialect]}`;
        recognized += 1;
      }
    }
    return undefined;
  }

  function answerAsOpenAi(step: Step): string {
    const thought = `${secretThought} ${sent.size}`;
    const thinking = dialect === "deepseek" ? openaiDelta({ role: "assistant", reasoning_content: thought }) : "";
    if ("say" in step) return thinking + openaiText(step.say) + openaiFinish("stop") + openaiDone;
    const id = `own_call_${sent.size}`;
    const extra = { google: { thought_signature: `${thought}==` } };
    sent.set(id, dialect === "deepseek" ? thought : extra);
    const { name, arguments: given } = step.call;
    const call = {
      index: 0,
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(given) },
      ...(dialect === "gemini" && { extra_content: extra }),
    };
    return thinking + openaiDelta({ tool_calls: [call] }) + openaiFinish("tool_calls") + openaiDone;
  }

  function answerAsAnthropic(step: Step): string {
    if ("say" in step) return anthropicStart() + anthropicText(0, step.say) + anthropicStop("end_turn");
    const id = `toolu_${sent.size}`;
    const thinking = `${secretThought} ${sent.size}`;
    const signature = `sig-${sent.size}`;
    sent.set(id, [
      { type: "thinking", thinking, signature },
      { type: "redacted_thinking", data: "b3BhcXVl" },
    ]);
    const { name, arguments: given } = step.call;
    const delta = (index: number, fields: object) => anthropicEvent("content_block_delta", { index, delta: fields });
    const start = (index: number, block: object) =>
      anthropicEvent("content_block_start", { index, content_block: block });
    const stop = (index: number) => anthropicEvent("content_block_stop", { index });
    return [
      anthropicStart(),
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: thinking.slice(0, 8) }),
      delta(0, { type: "thinking_delta", thinking: thinking.slice(8) }),
      delta(0, { type: "signature_delta", signature }),
      stop(0),
      start(1, { type: "redacted_thinking", data: "b3BhcXVl" }),
      stop(1),
      start(2, { type: "tool_use", id, name, input: {} }),
      delta(2, { type: "input_json_delta", partial_json: JSON.stringify(given) }),
      stop(2),
      anthropicStop("tool_use"),
    ].join("");
  }

  const key = "k-test-canary-0123456789";
  return {
    refused,
    recognized: () => recognized,
    environment:
      dialect === "anthropic"
        ? { KURISU_MODEL: "anthropic:m", ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ""), ANTHROPIC_API_KEY: key }
        : { KURISU_MODEL: "openai:m", OPENAI_BASE_URL: url, OPENAI_API_KEY: key },
  };
}

const missing: Readonly<Record<Dialect, string>> = {
  deepseek: "The `reasoning_content` in the thinking mode must be passed back to the API.",
  gemini: "Function call is missing a thought_signature in functionCall parts.",
  anthropic: "Expected `thinking` or `redacted_thinking`, but found `tool_use`.",
};

/** The calls of a message, each with what the provider looks for beside it. */
function listCalls(message: Message): readonly { readonly id: string; readonly beside: unknown }[] {
  if (message.role !== "assistant") return [];
  const blocks = Array.isArray(message.content) ? (message.content as readonly Record<string, unknown>[]) : [];
  const thoughts = blocks.filter(({ type }) => /thinking/.test(String(type)));
  return [
    ...(message.tool_calls ?? []).map(({ extra_content: extra, id }) => ({
      id,
      beside: message.reasoning_content ?? extra,
    })),
    ...blocks.flatMap(({ id, type }) => (type === "tool_use" ? [{ id: String(id), beside: thoughts }] : [])),
  ];
}

function readWords(messages: readonly Message[]): string {
  const words = messages.findLast(isWords);
  return words === undefined ? "" : (textOf(words).split("</context>").at(-1)?.trim() ?? "");
}

function isWords(message: Message): boolean {
  return message.role === "user" && textOf(message) !== "" && !textOf(message).startsWith("[record]");
}

/** Results since those words. */
function countResults(messages: readonly Message[]): number {
  const from = messages.findLastIndex(isWords);
  const isResult = ({ content, role }: Message): boolean =>
    role === "tool" ||
    (Array.isArray(content) && content.some((block: { type?: unknown }) => block.type === "tool_result"));
  return messages.slice(from + 1).filter(isResult).length;
}

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block: { readonly text?: string }) => block.text ?? "").join("");
}
