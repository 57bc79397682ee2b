import type { PersonaFolders } from "../../core/persona/find-personas.ts";
import type { PersonaDrafts, PersonaResult } from "../../core/persona/load-persona.ts";

/** The live configuration, as far as the personas are concerned. */
export interface PersonaSource {
  now(): {
    readonly personaFolders: PersonaFolders;
    readonly persona: { readonly id: string };
    readonly readPersona: (folder: string, drafts?: PersonaDrafts) => PersonaResult;
  };
  /** The faults of the whole configuration with this text of a file of config/system. */
  check(replaced?: { readonly name: string; readonly text: string }): readonly string[];
  refusedFiles(): readonly string[];
  reload(): void;
  /** Takes the known secrets out. */
  scrub(text: string): string;
}
