import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMap, isScalar, parseDocument } from "yaml";
import type { PersonaFolders } from "./find-personas.ts";

/** The forms of a value that another one can stand in for, letter by letter. */
const oneLine = new Set(["PLAIN", "QUOTE_SINGLE", "QUOTE_DOUBLE"]);

export type PlannedPersona =
  | { readonly kind: "planned"; readonly file: string; readonly text: string }
  | { readonly kind: "refused"; readonly problem: string };

/** The text of channels.yaml that makes this the persona of every chat without a choice. Everything else stays as it was written. */
export function planUsualPersona({ own }: PersonaFolders, id: string): PlannedPersona {
  const file = join(dirname(own), "system", "channels.yaml");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const document = parseDocument(text);
  const isMapping = document.contents === null || isMap(document.contents);
  if (document.errors.length > 0 || !isMapping)
    return { kind: "refused", problem: "channels.yaml has faults: mend it first." };
  const present: unknown = document.get("persona", true);
  if (isScalar(present) && present.range && oneLine.has(present.type ?? "")) {
    const [start, end] = present.range;
    if (start < end) return { kind: "planned", file, text: `${text.slice(0, start)}${id}${text.slice(end)}` };
  }
  document.set("persona", id);
  return { kind: "planned", file, text: document.toString() };
}
