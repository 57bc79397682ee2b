import { accessSync, constants } from "node:fs";
import type { Configuration } from "../config.ts";
import { describeError } from "../core/errors.ts";
import type { MemoryOptions } from "../features/memory/memory-options.ts";
import { loadLlama } from "../features/memory/embedding/llama-embedder.ts";
import { askEndpoint } from "../web/ask-endpoint.ts";
import type { Finding } from "../kernel/feature/finding.ts";

const check = "embeddings";
const waitMs = 5_000;
const meanwhile = "Until then memory and the chat log are searched by words";

/** By what memory and the chat log are searched: a file goes before a server. Nothing is embedded, so it costs nothing. */
export async function checkEmbeddings(
  { embeddings, memory }: Pick<Configuration, "embeddings"> & { readonly memory: MemoryOptions },
  load: () => Promise<unknown> = loadLlama,
): Promise<Finding> {
  const { gguf } = memory.embeddings;
  if (gguf !== "") return checkFile(gguf, load);
  if (embeddings === undefined) {
    const detail =
      "none: memory and the chat log are searched by words. Set EMBEDDINGS_BASE_URL, or embeddings.gguf of memory.yaml, to search by meaning: docs/memory.md";
    return { check, state: "ok", detail };
  }
  const { apiKey, baseUrl, model = "text-embedding-3-small" } = embeddings;
  const { host } = new URL(baseUrl);
  const asked = await askEndpoint({
    url: new URL(`${baseUrl}/models`),
    method: "GET",
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    timeoutMs: waitMs,
    signal: AbortSignal.timeout(waitMs),
  });
  if (asked.kind === "failed")
    return { check, state: "broken", detail: `EMBEDDINGS_BASE_URL: ${host} ${asked.reason}. ${meanwhile}` };
  if (asked.status === 401 || asked.status === 403) {
    const detail = `EMBEDDINGS_API_KEY: ${host} refused the key (HTTP ${asked.status}). ${meanwhile}`;
    return { check, state: "broken", detail };
  }
  return { check, state: "ok", detail: `${model} at ${host}, which answers` };
}

async function checkFile(gguf: string, load: () => Promise<unknown>): Promise<Finding> {
  try {
    accessSync(gguf, constants.R_OK);
    await load();
  } catch (error) {
    return { check, state: "broken", detail: `embeddings.gguf: ${describeError(error)}. ${meanwhile}` };
  }
  return { check, state: "ok", detail: `${gguf}, in this process` };
}
