import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PersonaFolders } from "../find-personas.ts";
import { isTaken } from "./make-persona.ts";

/**
 * The folder that a card would get: a free id, or that of an earlier import. invalid = no name of a folder, reserved = a name
 * of ours, written = a persona that came from no card.
 */
export type ImportPlace = "free" | "imported" | "invalid" | "reserved" | "written";

export function findImportPlace(folders: PersonaFolders, id: string): ImportPlace {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(id)) return "invalid";
  if (isTaken(folders, id)) return "reserved";
  const folder = join(folders.own, id);
  if (!existsSync(folder)) return "free";
  return existsSync(join(folder, "card.json")) ? "imported" : "written";
}
