import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMap, parseDocument } from "yaml";
import type { PersonaFolders } from "./find-personas.ts";

export type PlannedPersona =
  | { readonly kind: "planned"; readonly file: string; readonly text: string }
  | { readonly kind: "refused"; readonly problem: string };

/** The text of channels.yaml that makes this the persona of every chat without a choice; its comments stay. */
export function planUsualPersona({ own }: PersonaFolders, id: string): PlannedPersona {
  const file = join(dirname(own), "system", "channels.yaml");
  const document = parseDocument(existsSync(file) ? readFileSync(file, "utf8") : "");
  const isMapping = document.contents === null || isMap(document.contents);
  if (document.errors.length > 0 || !isMapping)
    return { kind: "refused", problem: "channels.yaml has faults: mend it first." };
  document.set("persona", id);
  return { kind: "planned", file, text: document.toString() };
}
