import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadPersona, type PersonaDrafts, type PersonaResult } from "../core/persona/load-persona.ts";
import { findYamlPlaces } from "../core/yaml-file.ts";
import { offlinePhrasesSchema } from "../models/offline/phrases.ts";
import type { Environment } from "./environment.ts";

/** The persona of a folder, its lines for the time without a model included. */
export function readPersona(folder: string, environment: Environment, drafts: PersonaDrafts = {}): PersonaResult {
  const result = loadPersona(folder, environment, drafts);
  if (result.kind === "faulty") return result;
  const offline = offlinePhrasesSchema.safeParse(result.persona.offline);
  if (offline.success) return result;
  const file = join(folder, "persona.yaml");
  const placeOf = findYamlPlaces(drafts["persona.yaml"] ?? readFileSync(file, "utf8"));
  const faults = offline.error.issues.map(({ message: problem, path }) => {
    const keys = ["offline", ...path.map((key) => (typeof key === "number" ? key : String(key)))];
    return { file, line: 1, column: 1, ...placeOf(keys), key: keys.join("."), problem };
  });
  return { kind: "faulty", faults };
}
