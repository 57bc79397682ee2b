import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { loadPersona, type PersonaResult } from "./load-persona.ts";

/** Folders of personas: the operator's, which may not exist, goes before the shipped one. */
export interface PersonaFolders {
  readonly own: string;
  readonly shipped: string;
}

/** A persona that is there, faulty or not. */
export interface FoundPersona {
  readonly id: string;
  readonly folder: string;
  readonly result: PersonaResult;
}

/** By id, without the one that was loaded already; a folder of the operator's overrides the shipped one of the same name. */
export function findPersonas(
  folders: PersonaFolders,
  environment: Record<string, string | undefined>,
  loaded?: string,
): readonly FoundPersona[] {
  return [...listPersonaFolders(folders)]
    .filter(([id]) => id !== loaded)
    .map(([id, folder]) => ({ id, folder, result: loadPersona(folder, environment) }));
}

/** The folder of each id, nothing of it read; sorted by id. */
export function listPersonaFolders({ own, shipped }: PersonaFolders): ReadonlyMap<string, string> {
  const found = new Map([shipped, own].flatMap((parent) => listFolders(parent).map((id) => [id, join(parent, id)])));
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function listFolders(parent: string): readonly string[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && !entry.name.startsWith(".") ? [entry.name] : [],
  );
}
