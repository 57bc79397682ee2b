import { parseModelReference } from "./model-reference.ts";
import type { ModelReference } from "./model-reference.ts";

/** What answers when a key is there and no model is named. */
const defaultModelNames = { openai: "gpt-4o-mini", anthropic: "claude-sonnet-4-5" } as const;

export type ModelChoice =
  | { readonly kind: "models"; readonly models: readonly ModelReference[] }
  | { readonly kind: "faulty"; readonly fault: string };

export interface ModelChoiceInput {
  /** KURISU_MODEL: a comma list in fallback order; undefined or blank = choose. */
  readonly wanted: string | undefined;
  readonly keys: { readonly openai: boolean; readonly anthropic: boolean };
  /** OPENAI_BASE_URL is set: a server of one's own may need no key. */
  readonly openaiBaseUrl: boolean;
  /** The first model of an Ollama that answers (see findOllamaModel). */
  readonly ollamaModel: string | undefined;
}

/** Named models as named; else those there are keys for, else Ollama's, else the offline model. */
export function chooseModels({ wanted, keys, openaiBaseUrl, ollamaModel }: ModelChoiceInput): ModelChoice {
  if (wanted === undefined || wanted.trim() === "") {
    const models: ModelReference[] = [];
    if (keys.openai) models.push({ provider: "openai", name: defaultModelNames.openai });
    if (keys.anthropic) models.push({ provider: "anthropic", name: defaultModelNames.anthropic });
    if (models.length === 0 && ollamaModel !== undefined) models.push({ provider: "ollama", name: ollamaModel });
    return { kind: "models", models: models.length === 0 ? [{ provider: "offline" }] : models };
  }
  const models: ModelReference[] = [];
  const faults: string[] = [];
  for (const entry of wanted.split(",")) {
    const parsed = parseModelReference(entry);
    if (parsed.kind === "faulty") faults.push(parsed.fault);
    else if (parsed.model.provider === "openai" && !keys.openai && !openaiBaseUrl) {
      faults.push(`"${entry.trim()}" needs OPENAI_API_KEY (or OPENAI_BASE_URL of a server without keys).`);
    } else if (parsed.model.provider === "anthropic" && !keys.anthropic) {
      faults.push(`"${entry.trim()}" needs ANTHROPIC_API_KEY.`);
    } else models.push(parsed.model);
  }
  return faults.length > 0
    ? { kind: "faulty", fault: `KURISU_MODEL: ${faults.join(" ")}` }
    : { kind: "models", models };
}
