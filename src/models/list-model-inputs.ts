import type { InputKind } from "../core/content-part.ts";
import { modelProviders } from "./model-providers.ts";
import type { ModelReference } from "./model-reference.ts";

/**
 * The input kinds that a model takes in addition to text, judged by its provider and its name; models.yaml may say
 * otherwise.
 */
export function listModelInputs(reference: ModelReference): readonly InputKind[] {
  if (reference.provider === "offline") return [];
  return modelProviders[reference.provider].inputs?.(reference.name) ?? ["image"];
}
