import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { raceAbort } from "../../../core/abort.ts";
import { AppError, describeError } from "../../../core/errors.ts";
import { toUnit, type Embedder } from "./embedder.ts";

/** The part of node-llama-cpp 3 that is used (https://node-llama-cpp.withcat.ai/guide/embedding). */
export interface LlamaModule {
  getLlama(options: {
    readonly gpu: false | "auto";
    readonly build: "never";
    readonly skipDownload: true;
    readonly progressLogs: false;
    readonly logLevel: "error";
  }): Promise<{
    loadModel(options: { readonly modelPath: string }): Promise<{
      readonly embeddingVectorSize: number;
      createEmbeddingContext(options: { readonly contextSize: { readonly max: number } }): Promise<LlamaContext>;
    }>;
    dispose(): Promise<void>;
  }>;
}

interface LlamaContext {
  calculateInputLength(text: string): number;
  getEmbeddingFor(text: string): Promise<{ readonly vector: readonly number[] }>;
  readonly model: { readonly trainContextSize: number };
}

const packageName = "node-llama-cpp";
const maxTokens = 512;
const maxLetters = 2_000;

/** An optional package: only installations that run a model on this machine have it. */
export async function loadLlama(): Promise<LlamaModule> {
  try {
    return (await import(packageName)) as LlamaModule;
  } catch (error) {
    throw new AppError(
      "EMBEDDINGS_UNAVAILABLE",
      `embeddings.gguf needs the package ${packageName}: npm install ${packageName}@3 (${describeError(error)}).`,
      { cause: error },
    );
  }
}

/** A GGUF file in this process. It is loaded when the first text comes; nothing is downloaded and nothing built. */
export function createLlamaEmbedder(path: string, load: () => Promise<LlamaModule> = loadLlama): Embedder {
  let opened: Promise<Opened> | undefined;
  let ready: Opened | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function open(): Promise<Opened> {
    opened ??= openModel(path, load).then(
      (model) => (ready = model),
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    );
    return opened;
  }

  async function embedAll(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { context, dimensions, most } = await open();
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      signal.throwIfAborted();
      const { vector } = await context.getEmbeddingFor(cutToFit(context, text, most));
      // A text without a word that it knows has none.
      vectors.push(toUnit(vector.length === dimensions ? vector : new Float32Array(dimensions)));
    }
    return vectors;
  }

  return {
    // Another file under the same name is another model.
    id: `gguf:${basename(path)}:${createHash("sha256").update(path).digest("hex").slice(0, 8)}`,
    get dimensions() {
      return ready?.dimensions;
    },
    embed(texts, timeoutMs) {
      const signal = AbortSignal.timeout(timeoutMs);
      // One at a time: the model takes all processors.
      const answer = last.then(() => embedAll(texts, signal));
      last = answer.catch(() => undefined);
      return raceAbort(answer, signal);
    },
    async close() {
      await last;
      await ready?.close();
      ready = undefined;
      opened = undefined;
    },
  };
}

interface Opened {
  readonly context: LlamaContext;
  readonly dimensions: number;
  readonly most: number;
  close(): Promise<void>;
}

async function openModel(path: string, load: () => Promise<LlamaModule>): Promise<Opened> {
  const file = await stat(path).catch(() => undefined);
  if (!file?.isFile())
    throw new AppError(
      "EMBEDDINGS_UNAVAILABLE",
      `embeddings.gguf: there is no file ${path}. Put a GGUF embedding model there.`,
    );
  const { getLlama } = await load();
  try {
    const llama = await getLlama({
      gpu: "auto",
      build: "never",
      skipDownload: true,
      progressLogs: false,
      logLevel: "error",
    });
    const model = await llama.loadModel({ modelPath: path });
    const context = await model.createEmbeddingContext({ contextSize: { max: maxTokens } });
    const most = Math.min(maxTokens, context.model.trainContextSize) - 2;
    return { context, dimensions: model.embeddingVectorSize, most, close: () => llama.dispose() };
  } catch (error) {
    throw new AppError(
      "EMBEDDINGS_UNAVAILABLE",
      `embeddings.gguf: ${path} cannot be used (${describeError(error)}). Choose a GGUF file of an embedding model.`,
      { cause: error },
    );
  }
}

/** The model refuses what is longer than it can read. */
function cutToFit(context: LlamaContext, text: string, most: number): string {
  let fitting = text.slice(0, maxLetters).toWellFormed().trim() || "-";
  while (fitting.length > 1 && context.calculateInputLength(fitting) > most)
    fitting = fitting.slice(0, Math.floor(fitting.length / 2)).toWellFormed();
  return fitting;
}
