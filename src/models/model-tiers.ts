import { formatModelReference, parseModelReference, type ModelReference } from "./model-reference.ts";
import type { Models } from "./types.ts";

/** The names that options and sub-agents call models by; models.yaml says what they are. */
export const modelTiers = ["small", "inherit", "large"] as const;

type Tier = (typeof modelTiers)[number];

/**
 * Models by tier or by name. A tier that is not set is `inherit`, and that is the model that answers people; any other
 * model falls back to it.
 */
export function createModelTiers(parts: {
  /** As of now. */
  readonly tiers: () => Readonly<Partial<Record<Tier, ModelReference>>>;
  /** The tier that answers people, and its models in fallback order. */
  readonly main: Models;
  readonly fallback: readonly ModelReference[];
  readonly create: (models: readonly ModelReference[]) => Models;
}): (name: string) => Models {
  const known = new Map<string, Models>();

  function find(name: string): ModelReference | undefined {
    const tiers = parts.tiers();
    if (name === "inherit" || name === "small" || name === "large") return tiers[name] ?? tiers.inherit;
    const parsed = parseModelReference(name);
    return parsed.kind === "model" ? parsed.model : undefined;
  }

  return (name) => {
    const reference = find(name);
    if (reference === undefined) return parts.main;
    const written = formatModelReference(reference);
    const rest = parts.fallback.filter((model) => formatModelReference(model) !== written);
    if (rest.length < parts.fallback.length && formatModelReference(parts.fallback[0] ?? reference) === written)
      return parts.main;
    const models = known.get(written) ?? parts.create([reference, ...rest]);
    known.set(written, models);
    return models;
  };
}
