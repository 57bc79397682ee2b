import { AppError } from "../core/errors.ts";
import { chooseModels } from "./choose-models.ts";
import { findOllamaModel } from "./find-ollama-model.ts";
import type { ModelCredentials } from "./load-chat-model.ts";
import type { ModelReference } from "./model-reference.ts";

/** The models in fallback order: those that were named, or what there is. */
export async function pickModels({
  wanted,
  credentials,
}: {
  readonly wanted?: string;
  readonly credentials: ModelCredentials;
}): Promise<readonly ModelReference[]> {
  const choice = chooseModels({
    wanted,
    keys: { openai: credentials.openai?.apiKey !== undefined, anthropic: credentials.anthropic !== undefined },
    openaiBaseUrl: credentials.openai?.baseUrl !== undefined,
    ollamaModel: wanted === undefined ? await findOllamaModel(credentials.ollamaHost) : undefined,
  });
  if (choice.kind === "faulty") throw new AppError("CONFIG_INVALID", choice.fault);
  return choice.models;
}
