import { AppError } from "../../core/errors.ts";
import type { Configuration } from "../../config.ts";
import { findPersonas } from "../../core/persona/find-personas.ts";
import type { PersonaResult } from "../../core/persona/load-persona.ts";
import { formatFault } from "../../core/yaml-file.ts";
import type { Persona } from "../../core/persona/persona.ts";
import type { CommandContext } from "../types.ts";

type Folders = Configuration["personaFolders"];

/** Throws AppError PERSONA_REFUSED when there is no such persona, or it has faults. */
export function findPersona(
  folders: Folders,
  environment: CommandContext["environment"],
  id: string,
): { readonly persona: Persona; readonly folder: string } {
  const all = findPersonas(folders, environment.all);
  const found = all.find((one) => one.id === id);
  if (!found) {
    const known = all.map((one) => one.id).join(", ");
    throw new AppError("PERSONA_REFUSED", `there is no persona ${JSON.stringify(id)}; there are ${known}`);
  }
  if (found.result.kind === "faulty") throw new AppError("PERSONA_REFUSED", listFaults(found.result));
  return { persona: found.result.persona, folder: found.folder };
}

/** The faults, one a line. */
export function listFaults(result: Extract<PersonaResult, { kind: "faulty" }>): string {
  return result.faults.map(formatFault).join("\n");
}
