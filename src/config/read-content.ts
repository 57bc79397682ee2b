import { existsSync } from "node:fs";
import { join } from "node:path";
import { findPersonas, listPersonaFolders, type PersonaFolders } from "../core/persona/find-personas.ts";
import type { PersonaDrafts, PersonaResult } from "../core/persona/load-persona.ts";
import type { Persona } from "../core/persona/persona.ts";
import { projectFolder } from "../core/project-folder.ts";
import type { ConfigFault } from "../core/yaml-file.ts";
import { offlinePhrasesSchema } from "../models/offline/phrases.ts";
import { readSkills, type SkillsRead } from "../features/skills/read-skills.ts";
import type { Environment } from "./environment.ts";
import { isOwnVariable } from "./own-variables.ts";
import { readPersona } from "./read-persona.ts";

/** The personas and the skills. */
export interface Content extends SkillsRead {
  readonly personaFolders: PersonaFolders;
  /** Reads the persona of a folder; texts that the owner has not saved go before its files. */
  readonly readPersona: (folder: string, drafts?: PersonaDrafts) => PersonaResult;
  /** The default persona. */
  readonly persona: Persona;
  /** All personas that a chat can choose. */
  readonly personas: readonly Persona[];
  /** Their ids; excludes those that keep an earlier version. */
  readonly faultyPersonas: readonly string[];
  /** The file that the skills of the table are learnt from. */
  readonly skillSentences: string;
}

/** The folders shipped with Kurisu, used where the operator's config folder has none. */
const shippedFolder = join(projectFolder, "config");

interface ContentSource {
  readonly folders: { readonly configFolder: string; readonly home: string };
  readonly personaId: string;
  /** The fault of a persona that has no folder. */
  readonly onNoPersona: (problem: string) => void;
  /**
   * The previous personas; one that became faulty keeps its version, except for the default one, whose faults are
   * reported.
   */
  readonly previousPersonas: readonly Persona[];
  readonly environment: Environment;
  readonly skills: {
    readonly shared: readonly string[];
    readonly exclude: readonly string[];
    /** The previous skills; one that became faulty keeps its version. */
    readonly previous: SkillsRead["skills"] | undefined;
  };
  /** Names of MCP servers that no skill may use. */
  readonly takenServers: readonly string[];
  readonly onFault: (fault: ConfigFault) => void;
}

/** The operator's file or folder, or the one shipped with Kurisu. */
export function findContent(configFolder: string, ...path: readonly string[]): string {
  const own = join(configFolder, ...path);
  return existsSync(own) ? own : join(shippedFolder, ...path);
}

/** Reads the persona and the skills. Returns undefined after faults, which `onFault` received. */
export function readContent({
  folders: { configFolder, home },
  personaId,
  onNoPersona,
  previousPersonas,
  environment,
  skills: wanted,
  takenServers,
  onFault,
}: ContentSource): Content | undefined {
  const find = (...path: readonly string[]) => findContent(configFolder, ...path);
  const personaFolders = { own: join(configFolder, "personas"), shipped: join(shippedFolder, "personas") };
  const personaIds = [...listPersonaFolders(personaFolders).keys()];
  if (!personaIds.includes(personaId)) {
    onNoPersona(`there is no persona ${personaId}; there are ${personaIds.join(", ")}`);
    return undefined;
  }
  const persona = readPersona(find("personas", personaId), environment);
  const skills = readSkills({ folder: find("skills"), home, environment, takenServers, isOwnVariable, ...wanted });
  if (persona.kind === "faulty") persona.faults.forEach(onFault);
  if (skills.kind === "faulty") skills.faults.forEach(onFault);
  if (persona.kind === "faulty" || skills.kind === "faulty") return undefined;
  const { kind: _, ...read } = skills;
  const others = findPersonas(personaFolders, environment, personaId);
  const loaded = others.flatMap(({ id, result }) =>
    result.kind === "loaded" && offlinePhrasesSchema.safeParse(result.persona.offline).success
      ? [result.persona]
      : previousPersonas.filter((one) => one.id === id),
  );
  return {
    personaFolders,
    readPersona: (folder, drafts) => readPersona(folder, environment, drafts),
    persona: persona.persona,
    personas: [persona.persona, ...loaded],
    faultyPersonas: others.flatMap(({ id }) => (loaded.some((one) => one.id === id) ? [] : [id])),
    ...read,
    skillSentences: find("skills", "sentences.tsv"),
  };
}
