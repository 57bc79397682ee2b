import type { Configuration } from "../../src/config.ts";
import { loadPersona } from "../../src/core/persona/load-persona.ts";

/** The persona of a folder. Throws when it has faults. */
export function readPersona(folder: string): Configuration["persona"] {
  const loaded = loadPersona(folder, {});
  if (loaded.kind !== "loaded") throw new Error(JSON.stringify(loaded.faults));
  return loaded.persona;
}
