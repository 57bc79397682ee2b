import type { InputKind } from "../core/content-part.ts";
import { modelProviders } from "./model-providers.ts";
import type { ModelReference } from "./model-reference.ts";

/** What a model takes beside text as far as its provider and its name tell; models.yaml may say otherwise. */
export function listModelInputs(reference: ModelReference): readonly InputKind[] {
  if (reference.provider === "offline") return [];
  return modelProviders[reference.provider].inputs?.(reference.name) ?? ["image"];
}
