import { AppError } from "../core/errors.ts";
import { askEndpoint } from "../web/ask-endpoint.ts";
import { resolveOperation } from "./wire/post-for-answer.ts";
import { findError } from "./wire/server-refusal.ts";

/**
 * Vectors of texts, in their order, all of one length. The texts are sent in batches; throws when the server does not
 * answer one of them as it should within `timeoutMs`, and aborts that request.
 */
export type EmbedTexts = (texts: readonly string[], timeoutMs: number) => Promise<readonly (readonly number[])[]>;

/** A server that speaks OpenAI's API. */
export interface EmbeddingServer {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly model?: string;
}

/** Servers that run a model themselves often take no more at once. */
const batchSize = 32;

/** Asks a server that speaks OpenAI's API (POST /embeddings), which the operator named (EMBEDDINGS_BASE_URL). */
export function createEmbedTexts(endpoint: EmbeddingServer): EmbedTexts {
  const { baseUrl, apiKey = "none", model = "text-embedding-3-small" } = endpoint;
  return async (texts, timeoutMs) => {
    if (texts.length === 0) return [];
    const batches = Array.from({ length: Math.ceil(texts.length / batchSize) }, (_, index) =>
      texts.slice(index * batchSize, (index + 1) * batchSize),
    );
    const vectors: (readonly number[])[] = [];
    for (const input of batches) vectors.push(...(await ask(input, timeoutMs)));
    if (!areVectors(vectors, texts.length)) throw broken();
    return vectors;
  };

  async function ask(input: readonly string[], timeoutMs: number): Promise<readonly (readonly number[])[]> {
    const answer = await askEndpoint({
      url: resolveOperation(baseUrl, "/embeddings"),
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}` },
      // Not every server of this kind knows the packed form.
      body: { model, input, encoding_format: "float" },
      timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.kind === "failed")
      throw new AppError("EMBEDDINGS_UNAVAILABLE", `The endpoint for embeddings ${answer.reason}.`);
    if (answer.status !== 200) {
      const words = findError(answer.body, true)?.words ?? "";
      throw new AppError("EMBEDDINGS_UNAVAILABLE", `The endpoint for embeddings answered ${answer.status}: ${words}`);
    }
    const { data } = answer.body as { readonly data?: unknown };
    if (!Array.isArray(data) || data.length !== input.length) throw broken();
    const entries = data as readonly { readonly embedding?: unknown; readonly index?: unknown }[];
    return entries
      .toSorted((a, b) => Number(a.index ?? 0) - Number(b.index ?? 0))
      .map(({ embedding }) => embedding as readonly number[]);
  }
}

const broken = (): AppError =>
  new AppError("MODEL_ANSWER_BROKEN", "The endpoint for embeddings did not answer with one vector a text.");

function areVectors(given: unknown, count: number): given is readonly (readonly number[])[] {
  if (!Array.isArray(given) || given.length !== count) return false;
  const [first] = given as unknown[];
  const length = Array.isArray(first) ? first.length : 0;
  return given.every(
    (vector) =>
      Array.isArray(vector) && length > 0 && vector.length === length && vector.every((one) => Number.isFinite(one)),
  );
}
