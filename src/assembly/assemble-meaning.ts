import type { Configuration } from "../config.ts";
import { createLlamaEmbedder } from "../features/memory/embedding/llama-embedder.ts";
import { createServerEmbedder } from "../features/memory/embedding/server-embedder.ts";
import type { Embedder } from "../features/memory/embedding/embedder.ts";
import { createMeaning, type Meaning } from "../features/memory/embedding/meaning.ts";
import { createVectorWriter } from "../features/memory/embedding/vector-writer.ts";
import { createEmbedTexts } from "../models/embed-texts.ts";
import type { Ground } from "./open-ground.ts";

/** Search by meaning; without a model for it there is no `meaning`, and nothing is kept. */
export interface AssembledMeaning {
  readonly meaning?: Meaning;
  /** Reads what is there, behind everybody's back. */
  start(): void;
  stop(): Promise<void>;
}

export function assembleMeaning(
  configuration: () => Configuration,
  parts: Pick<Ground, "store" | "clock" | "log"> & {
    /** Takes known secrets out of what is sent. */
    readonly scrub: (text: string) => string;
  },
): AssembledMeaning {
  const { clock, log, scrub, store } = parts;
  const embedder = createEmbedder(configuration(), scrub);
  if (embedder === undefined) return { start: () => undefined, stop: () => Promise.resolve() };
  const db = store.main;
  const writer = createVectorWriter({
    db,
    embedder,
    mostMessages: () => configuration().memory.embeddings.messages,
    log,
  });
  return {
    meaning: createMeaning({ db, embedder, clock, log }),
    start: () => writer.start(),
    async stop() {
      await writer.stop();
      await embedder.close();
    },
  };
}

/** A file on this machine goes before a server: nothing leaves the house. */
function createEmbedder({ embeddings, memory }: Configuration, scrub: (text: string) => string): Embedder | undefined {
  if (memory.embeddings.gguf !== "") return createLlamaEmbedder(memory.embeddings.gguf);
  if (embeddings === undefined) return undefined;
  const embed = createEmbedTexts(embeddings);
  const model = embeddings.model ?? "default";
  return createServerEmbedder((texts, timeoutMs) => embed(texts.map(scrub), timeoutMs), model);
}
