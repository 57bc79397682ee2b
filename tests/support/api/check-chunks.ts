import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { expect } from "vitest";
import { z } from "zod";

/** Fields as the types of the official client have them; `reasoning_content` is the one that others added. */
const chunkShape = z.strictObject({
  id: z.string().regex(/^chatcmpl-[0-9a-f]{24}$/),
  object: z.literal("chat.completion.chunk"),
  created: z.int().positive(),
  model: z.literal("kurisu"),
  choices: z
    .array(
      z.strictObject({
        index: z.literal(0),
        delta: z.strictObject({
          role: z.literal("assistant").optional(),
          content: z.string().optional(),
          reasoning_content: z.string().optional(),
        }),
        logprobs: z.null(),
        finish_reason: z.enum(["stop", "length"]).nullable(),
      }),
    )
    .max(1),
  usage: z
    .strictObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
    .nullable()
    .optional(),
});

/** What the types of the client call a chunk is one by this shape too. */
type Known = keyof ChatCompletionChunk;
const known: readonly Known[] = ["id", "object", "created", "model", "choices", "usage"];

/** A stream as OpenAI's reference describes it: one role, then words, then one end, then perhaps the usage. */
export function checkChunks(chunks: readonly ChatCompletionChunk[]): void {
  for (const chunk of chunks) {
    expect(known).toEqual(expect.arrayContaining(Object.keys(chunk)));
    chunkShape.parse(chunk);
  }
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  expect(new Set(chunks.map(({ created }) => created)).size).toBe(1);
  const deltas = chunks.map(({ choices }) => choices[0]);
  expect(deltas[0]?.delta.role).toBe("assistant");
  expect(deltas.slice(1).every((choice) => choice?.delta.role === undefined)).toBe(true);
  const ends = deltas.flatMap((choice, index) => ((choice?.finish_reason ?? null) === null ? [] : [index]));
  const counted = chunks.findIndex(({ choices }) => choices.length === 0);
  expect(ends).toEqual([counted < 0 ? chunks.length - 1 : counted - 1]);
}
