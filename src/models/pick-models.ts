import { AppError } from "../core/errors.ts";
import { chooseModels, listKeyedModels } from "./choose-models.ts";
import { modelProviders, providerNames, type ModelCredentials } from "./model-providers.ts";
import type { ModelReference } from "./model-reference.ts";

/** The models in fallback order: those that were named, or what there is. */
export async function pickModels({
  wanted,
  credentials,
}: {
  readonly wanted?: string;
  readonly credentials: ModelCredentials;
}): Promise<readonly ModelReference[]> {
  const mustLook = wanted === undefined && listKeyedModels(credentials).length === 0;
  const found = mustLook ? await findModel(credentials) : undefined;
  const choice = chooseModels({ wanted, credentials, found });
  if (choice.kind === "faulty") throw new AppError("CONFIG_INVALID", choice.fault);
  return choice.models;
}

async function findModel(credentials: ModelCredentials): Promise<ModelReference | undefined> {
  for (const provider of providerNames) {
    const name = await modelProviders[provider].findModel?.(credentials[provider]);
    if (name !== undefined) return { provider, name };
  }
  return undefined;
}
