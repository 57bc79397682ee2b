import { modelForms, providerNames, type ProviderName } from "./model-providers.ts";

/** A model: its provider and its name there. The offline model has no name. */
export type ModelReference =
  | { readonly provider: ProviderName; readonly name: string }
  | { readonly provider: "offline" };

export type ParsedReference =
  | { readonly kind: "model"; readonly model: ModelReference }
  | { readonly kind: "faulty"; readonly fault: string };

/** `provider:name`, as in KURISU_MODEL; a name may itself hold colons (`ollama:qwen3:8b`). */
export function parseModelReference(text: string): ParsedReference {
  const written = text.trim();
  const colon = written.indexOf(":");
  const before = (colon < 0 ? written : written.slice(0, colon)).trim().toLowerCase();
  const name = colon < 0 ? "" : written.slice(colon + 1).trim();
  if (before === "") return { kind: "faulty", fault: "an empty entry; write PROVIDER:NAME, separated by commas." };
  if (before === "offline") {
    if (name === "") return { kind: "model", model: { provider: before } };
    return { kind: "faulty", fault: `"${written}": the offline model has no name; write offline.` };
  }
  const provider = providerNames.find((known) => known === before);
  if (provider === undefined) return { kind: "faulty", fault: `"${written}": unknown provider; use ${modelForms}.` };
  if (name !== "") return { kind: "model", model: { provider, name } };
  return { kind: "faulty", fault: `"${written}": the model's name is missing; write ${provider}:NAME.` };
}

/** The same as people write it: `openai:gpt-4o-mini`, `offline`. */
export function formatModelReference(model: ModelReference): string {
  return model.provider === "offline" ? "offline" : `${model.provider}:${model.name}`;
}
