import { anthropic } from "./providers/anthropic.ts";
import type { ModelProvider, ProviderCredentials } from "./providers/model-provider.ts";
import { ollama } from "./providers/ollama.ts";
import { openai } from "./providers/openai.ts";

/**
 * The providers of models, each by the name that KURISU_MODEL calls it, in the order in which those with a key answer.
 */
const providers = { openai, anthropic, ollama };

export type ProviderName = keyof typeof providers;

export const modelProviders: Readonly<Record<ProviderName, ModelProvider>> = providers;

export const providerNames = Object.keys(providers) as readonly ProviderName[];

/** Only providers that have any. */
export type ModelCredentials = Readonly<Partial<Record<ProviderName, ProviderCredentials>>>;

/** The variables of their keys. */
export const keyVariables = providerNames.flatMap((name) => findVariable(name, "KEY") ?? []);

/** The variable of a provider's key or address. */
export function findVariable(provider: ProviderName, what: "KEY" | "URL"): string | undefined {
  return Object.keys(modelProviders[provider].environment).find((name) => name.endsWith(`_${what}`));
}

/** How a model is written: `openai:NAME, anthropic:NAME, … or offline`. */
export const modelForms = `${providerNames.map((name) => `${name}:NAME`).join(", ")} or offline`;
