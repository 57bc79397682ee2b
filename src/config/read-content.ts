import { existsSync } from "node:fs";
import { join } from "node:path";
import { findPersonas, type PersonaFolders } from "../core/persona/find-personas.ts";
import { loadPersona } from "../core/persona/load-persona.ts";
import type { Persona } from "../core/persona/persona.ts";
import { projectFolder } from "../core/project-folder.ts";
import type { ConfigFault } from "../core/yaml-file.ts";
import { offlinePhrasesSchema } from "../models/offline/phrases.ts";
import { createSkillRegistry, loadSkillRegistry, type SkillRegistry } from "../features/skills/skill-registry.ts";
import { loadInstalled, type DisabledSkill } from "../features/skills/store/load-installed.ts";
import { skillsFolderOf } from "../features/skills/store/skill-store.ts";
import type { Skill } from "../features/skills/loader/types.ts";
import type { McpServer } from "../features/mcp/servers/types.ts";
import type { Environment } from "./environment.ts";
import { isOwnVariable } from "./own-variables.ts";
import { listSkillServers } from "./list-skill-servers.ts";

/** Who she is, and what she knows how to do. */
export interface Content {
  readonly personaFolders: PersonaFolders;
  /** The usual one. */
  readonly persona: Persona;
  /** All that a chat can choose. */
  readonly personas: readonly Persona[];
  /** Their ids; those that serve as they were before are not among them. */
  readonly faultyPersonas: readonly string[];
  readonly skills: SkillRegistry;
  /** The file that the skills of the table are learnt from. */
  readonly skillSentences: string;
  /** Installed skills that are off, because they are not what was installed. */
  readonly disabledSkills: readonly DisabledSkill[];
  readonly skillServers: readonly McpServer[];
}

/** The folders that come with Kurisu; they serve where the operator's config folder has none. */
const shippedFolder = join(projectFolder, "config");

interface ContentSource {
  readonly folders: { readonly configFolder: string; readonly home: string };
  readonly personaId: string;
  /** Those so far; a persona that has become faulty stays as it was, but for the usual one, whose faults are told. */
  readonly previousPersonas: readonly Persona[];
  readonly environment: Environment;
  readonly skills: {
    readonly shared: readonly string[];
    readonly exclude: readonly string[];
    /** Those so far; a skill that has become faulty stays as it was. */
    readonly previous: SkillRegistry | undefined;
  };
  /** Names of MCP servers that no skill may bring. */
  readonly takenServers: readonly string[];
  readonly onFault: (fault: ConfigFault) => void;
}

/** The operator's file or folder, or the one that comes with Kurisu. */
export function findContent(configFolder: string, ...path: readonly string[]): string {
  const own = join(configFolder, ...path);
  return existsSync(own) ? own : join(shippedFolder, ...path);
}

/** Reads the persona and the skills. undefined = there were faults, which `onFault` was told. */
export function readContent({
  folders: { configFolder, home },
  personaId,
  previousPersonas,
  environment,
  skills: wanted,
  takenServers,
  onFault,
}: ContentSource): Content | undefined {
  const find = (...path: readonly string[]) => findContent(configFolder, ...path);
  const folder = find("personas", personaId);
  const persona = loadPersona(folder, environment);
  const skills = loadSkillRegistry({ folder: find("skills"), environment, ...wanted });
  if (persona.kind === "faulty") persona.faults.forEach(onFault);
  if (skills.kind === "faulty") skills.faults.forEach(onFault);
  if (persona.kind === "faulty" || skills.kind === "faulty") return undefined;
  const offline = offlinePhrasesSchema.safeParse(persona.persona.offline);
  if (offline.success) {
    const { faults, warnings } = skills.registry;
    const own = skills.registry.list();
    const installed = loadInstalled(
      skillsFolderOf(home),
      environment,
      own.flatMap(({ id, origin }) => (origin === "config" ? [id] : [])),
      isOwnVariable,
    );
    const pinned = installed.skills.filter(({ id }) => !wanted.exclude.includes(id));
    // An approved skill goes before one that just lies in a folder of other agents.
    const hidden = own.filter(({ id, origin }) => origin === "shared" && pinned.some((skill) => skill.id === id));
    const all = [...own.filter((skill) => !hidden.includes(skill)), ...pinned];
    const brought = listSkillServers(all, takenServers);
    const personaFolders = { own: join(configFolder, "personas"), shipped: join(shippedFolder, "personas") };
    const others = findPersonas(personaFolders, environment).filter(({ id }) => id !== personaId);
    const loaded = others.flatMap(({ id, result }) =>
      result.kind === "loaded" && offlinePhrasesSchema.safeParse(result.persona.offline).success
        ? [result.persona]
        : previousPersonas.filter((one) => one.id === id),
    );
    return {
      personaFolders,
      persona: persona.persona,
      personas: [persona.persona, ...loaded],
      faultyPersonas: others.flatMap(({ id }) => (loaded.some((one) => one.id === id) ? [] : [id])),
      skills: createSkillRegistry(all, {
        faults,
        warnings: [...warnings, ...hidden.map(tellHidden), ...brought.warnings],
      }),
      skillSentences: find("skills", "sentences.tsv"),
      skillServers: brought.servers,
      disabledSkills: installed.disabled,
    };
  }
  for (const { path, message } of offline.error.issues) {
    const key = ["offline", ...path].join(".");
    onFault({ file: join(folder, "persona.yaml"), line: 1, column: 1, key, problem: message });
  }
  return undefined;
}

function tellHidden({ folder }: Skill): ConfigFault {
  const problem = "has the id of an installed skill, which is used";
  return { file: join(folder, "SKILL.md"), line: 1, column: 1, key: "name", problem };
}
