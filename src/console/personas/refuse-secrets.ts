import { join } from "node:path";
import type { PersonaResult } from "../../core/persona/load-persona.ts";

/**
 * The files of a persona may name variables. In the console one that holds a known secret counts as faulty: its words are shown on
 * the page, sent to models and said to people.
 */
export function refuseSecrets(result: PersonaResult, folder: string, scrub: (text: string) => string): PersonaResult {
  if (result.kind === "faulty" || !holdsSecret(result.persona, scrub)) return result;
  const file = join(folder, "persona.yaml");
  const problem =
    "holds a secret of .env by its variable; take the variable out, since people read what a persona says";
  return { kind: "faulty", faults: [{ file, line: 1, column: 1, key: "", problem }] };
}

function holdsSecret(value: object, scrub: (text: string) => string): boolean {
  let isFound = false;
  JSON.stringify(value, (_key, part: unknown) => {
    isFound ||= typeof part === "string" && scrub(part) !== part;
    return part;
  });
  return isFound;
}
