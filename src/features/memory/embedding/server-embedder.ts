import type { EmbedTexts } from "../../../models/embed-texts.ts";
import { toUnit, type Embedder } from "./embedder.ts";

/** The most letters of one text: servers refuse more than their model takes, the smallest take 512 tokens. */
const maxLetters = 1_000;

/** A model behind an endpoint that speaks OpenAI's API: Ollama, vLLM, llama.cpp, LM Studio, OpenAI itself. */
export function createServerEmbedder(embedTexts: EmbedTexts, model: string): Embedder {
  let dimensions: number | undefined;
  return {
    id: `server:${model}`,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, timeoutMs) {
      const cut = texts.map((text) => text.slice(0, maxLetters).toWellFormed().trim() || "-");
      const vectors = (await embedTexts(cut, timeoutMs)).map(toUnit);
      dimensions = vectors[0]?.length ?? dimensions;
      return vectors;
    },
    close: () => Promise.resolve(),
  };
}
