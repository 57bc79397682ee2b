import { AppError } from "../core/errors.ts";

/**
 * Vectors of texts, in their order, all of one length. Throws when the server does not answer as it should within the
 * time; the request is over then, too.
 */
export type EmbedTexts = (texts: readonly string[], timeoutMs: number) => Promise<readonly (readonly number[])[]>;

/** Servers that run a model themselves often take no more at once. */
const batchSize = 32;

/** Asks a server that speaks OpenAI's API (POST /embeddings), which the operator named (EMBEDDINGS_BASE_URL). */
export function createEmbedTexts(endpoint: {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly model?: string;
}): EmbedTexts {
  const { baseUrl, apiKey = "none", model = "text-embedding-3-small" } = endpoint;
  return async (texts, timeoutMs) => {
    if (texts.length === 0) return [];
    // The time is the server's: it begins when the client is there.
    const { OpenAIEmbeddings } = await import("@langchain/openai");
    const embeddings = new OpenAIEmbeddings({
      model,
      apiKey,
      // Not every server of this kind knows the packed form that the client asks for by itself.
      encodingFormat: "float",
      maxRetries: 0,
      maxConcurrency: 2,
      batchSize,
      timeout: timeoutMs,
      configuration: { baseURL: baseUrl, defaultHeaders: {}, logLevel: "off" },
    });
    const vectors: unknown = await embeddings.embedDocuments([...texts]);
    if (!areVectors(vectors, texts.length))
      throw new AppError("MODEL_ANSWER_BROKEN", "The endpoint for embeddings did not answer with one vector a text.");
    return vectors;
  };
}

function areVectors(given: unknown, count: number): given is readonly (readonly number[])[] {
  if (!Array.isArray(given) || given.length !== count) return false;
  const [first] = given as unknown[];
  const length = Array.isArray(first) ? first.length : 0;
  return given.every(
    (vector) =>
      Array.isArray(vector) && length > 0 && vector.length === length && vector.every((one) => Number.isFinite(one)),
  );
}
