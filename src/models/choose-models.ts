import { findVariable, modelProviders, providerNames, type ModelCredentials } from "./model-providers.ts";
import { parseModelReference, type ModelReference } from "./model-reference.ts";

export type ModelChoice =
  | { readonly kind: "models"; readonly models: readonly ModelReference[] }
  | { readonly kind: "faulty"; readonly fault: string };

export interface ModelChoiceInput {
  /** KURISU_MODEL: a comma list in fallback order; undefined or blank = choose. */
  readonly wanted: string | undefined;
  readonly credentials: ModelCredentials;
  /** Models found that need no key, such as the first one of an Ollama that answers. */
  readonly found: ModelReference | undefined;
}

/** Named models as named; else those there are keys for, else what was found, else the offline model. */
export function chooseModels({ wanted, credentials, found }: ModelChoiceInput): ModelChoice {
  if (wanted === undefined || wanted.trim() === "") {
    const keyed = listKeyedModels(credentials);
    return { kind: "models", models: keyed.length > 0 ? keyed : [found ?? { provider: "offline" }] };
  }
  const models: ModelReference[] = [];
  const faults: string[] = [];
  for (const entry of wanted.split(",")) {
    const parsed = parseModelReference(entry);
    const fault = parsed.kind === "faulty" ? parsed.fault : whyNot(parsed.model, credentials);
    if (fault !== undefined) faults.push(fault);
    else if (parsed.kind === "model") models.push(parsed.model);
  }
  return faults.length > 0
    ? { kind: "faulty", fault: `KURISU_MODEL: ${faults.join(" ")}` }
    : { kind: "models", models };
}

/** The default: a model of every provider whose key is there. */
export function listKeyedModels(credentials: ModelCredentials): readonly ModelReference[] {
  return providerNames.flatMap((provider) => {
    const { defaultModel } = modelProviders[provider];
    const hasKey = credentials[provider]?.apiKey !== undefined;
    return defaultModel !== undefined && hasKey ? [{ provider, name: defaultModel }] : [];
  });
}

/** A variable that is set and chooses no model. */
export interface IdleKey {
  readonly variable: string;
  /** How one of its models is written: `openai:NAME`. */
  readonly form: string;
}

/** The keys of providers without a default model, where none is named. */
export function listIdleKeys({
  wanted = "",
  credentials,
}: {
  readonly wanted?: string | undefined;
  readonly credentials: ModelCredentials;
}): readonly IdleKey[] {
  if (wanted.trim() !== "") return [];
  const keyed = listKeyedModels(credentials);
  return providerNames.flatMap((provider) => {
    const given = credentials[provider];
    const isChosen = modelProviders[provider].findModel || keyed.some((model) => model.provider === provider);
    const variable = given && !isChosen && findVariable(provider, given.apiKey === undefined ? "URL" : "KEY");
    return variable ? [{ variable, form: `${provider}:NAME` }] : [];
  });
}

/** The variables of keys that KURISU_MODEL=offline leaves unused. */
export function listKeysLeftOffline({
  wanted = "",
  credentials,
}: {
  readonly wanted?: string | undefined;
  readonly credentials: ModelCredentials;
}): readonly string[] {
  if (!wanted.split(",").every((entry) => entry.trim() === "offline")) return [];
  return providerNames.flatMap((provider) =>
    credentials[provider]?.apiKey === undefined ? [] : (findVariable(provider, "KEY") ?? []),
  );
}

function whyNot(model: ModelReference, credentials: ModelCredentials): string | undefined {
  if (model.provider === "offline") return undefined;
  const reason = modelProviders[model.provider].whyNot?.(credentials[model.provider]);
  return reason && `"${model.provider}:${model.name}" ${reason}`;
}
