import { createHash } from "node:crypto";
import type { AnswerPiece } from "./answer-writer.ts";

/**
 * The objects of OpenAI's API reference, "Chat completions". An answer of hers may take several requests to several models,
 * so tokens are not counted by answer: `./kurisu` counts them by person and day.
 */
export interface Completion {
  readonly id: string;
  /** Seconds. */
  readonly created: number;
  readonly model: string;
}

const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/** The same for each request that waits for the same message. */
export function nameCompletion(cause: string): string {
  return `chatcmpl-${createHash("sha256").update(cause).digest("hex").slice(0, 24)}`;
}

export function writeCompletion({ id, created, model }: Completion, content: string, finish: "stop" | "length") {
  const message = { role: "assistant", content, refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
  return { id, object: "chat.completion", created, model, choices, usage };
}

export type ChunkContent =
  | { readonly kind: "start" }
  | AnswerPiece
  | { readonly kind: "end"; readonly finish: "stop" | "length" }
  | { readonly kind: "usage" };

/** A single event of a stream. */
export function writeChunk({ id, created, model }: Completion, content: ChunkContent, wantsUsage: boolean): string {
  const delta =
    content.kind === "start"
      ? { role: "assistant", content: "" }
      : content.kind === "content" || content.kind === "reasoning_content"
        ? { [content.kind]: content.text }
        : {};
  const finish = content.kind === "end" ? content.finish : null;
  const choices = content.kind === "usage" ? [] : [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  const counted = wantsUsage ? { usage: content.kind === "usage" ? usage : null } : {};
  return writeEvent(JSON.stringify({ id, object: "chat.completion.chunk", created, model, choices, ...counted }));
}

export function writeEvent(data: string): string {
  return `data: ${data}\n\n`;
}
