import type { Logger } from "pino";
import type { Clock } from "../../../core/clock.ts";
import { createEmbedTexts, type EmbeddingServer } from "../../../models/embed-texts.ts";
import type { Store } from "../../../store/open-store.ts";
import type { MemoryOptions } from "../memory-options.ts";
import type { Embedder } from "./embedder.ts";
import { createLlamaEmbedder } from "./llama-embedder.ts";
import { createMeaning, type Meaning } from "./meaning.ts";
import { createServerEmbedder } from "./server-embedder.ts";
import { createVectorWriter } from "./vector-writer.ts";

/** Search by meaning; without a model for it there is no `meaning`, and nothing is kept. */
interface OpenMeaning {
  readonly meaning?: Meaning;
  /** Embeds existing text in the background. */
  start(): void;
  stop(): Promise<void>;
}

export function openMeaning(parts: {
  readonly store: Pick<Store, "main">;
  readonly options: () => Pick<MemoryOptions, "embeddings">;
  readonly embeddingServer: () => EmbeddingServer | undefined;
  /** Removes known secrets from what is sent. */
  readonly scrub: (text: string) => string;
  readonly clock: Clock;
  readonly log: Logger;
}): OpenMeaning {
  const { clock, log, options, store } = parts;
  const embedder = createEmbedder(parts);
  if (embedder === undefined) return { start: () => undefined, stop: () => Promise.resolve() };
  const db = store.main;
  const writer = createVectorWriter({ db, embedder, maxMessages: () => options().embeddings.messages, log });
  return {
    meaning: createMeaning({ db, embedder, clock, log }),
    start: () => writer.start(),
    async stop() {
      await writer.stop();
      await embedder.close();
    },
  };
}

/** A model file on this machine takes precedence over a server: no text leaves the machine. */
function createEmbedder({ embeddingServer, options, scrub }: Parameters<typeof openMeaning>[0]): Embedder | undefined {
  const { gguf } = options().embeddings;
  if (gguf !== "") return createLlamaEmbedder(gguf);
  const server = embeddingServer();
  if (server === undefined) return undefined;
  const embed = createEmbedTexts(server);
  return createServerEmbedder((texts, timeoutMs) => embed(texts.map(scrub), timeoutMs), server.model ?? "default");
}
