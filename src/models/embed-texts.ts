/** Vectors of texts, in their order. Throws when the server does not answer as it should. */
export type EmbedTexts = (texts: readonly string[], signal: AbortSignal) => Promise<readonly (readonly number[])[]>;

/** Asks a server that speaks OpenAI's API, which the operator named (EMBEDDINGS_BASE_URL). */
export function createEmbedTexts(endpoint: {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly model?: string;
}): EmbedTexts {
  const { baseUrl, apiKey = "none", model = "text-embedding-3-small" } = endpoint;
  return async (texts, signal) => {
    const { OpenAIEmbeddings } = await import("@langchain/openai");
    const embeddings = new OpenAIEmbeddings({
      model,
      apiKey,
      // Not every server of this kind knows the packed form that the client asks for by itself.
      encodingFormat: "float",
      maxRetries: 0,
      timeout: 10_000,
      configuration: { baseURL: baseUrl, defaultHeaders: {} },
    });
    const answer = embeddings.embedDocuments([...texts]);
    const given = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    return Promise.race([answer, given]);
  };
}
