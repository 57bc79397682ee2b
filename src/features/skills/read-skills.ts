import { join } from "node:path";
import type { ConfigFault } from "../../core/yaml-file.ts";
import type { McpServer } from "../mcp/servers/types.ts";
import { listSkillServers } from "./list-skill-servers.ts";
import type { Environment, Skill } from "./loader/types.ts";
import { createSkillRegistry, loadSkillRegistry, type SkillRegistry } from "./skill-registry.ts";
import { loadInstalled, type DisabledSkill } from "./store/load-installed.ts";
import type { IsOwnVariable } from "./store/skill-rights.ts";
import { skillsFolderOf } from "./store/skill-store.ts";

export interface SkillsRead {
  readonly skills: SkillRegistry;
  /** Installed skills that are off, because they are not what was installed. */
  readonly disabledSkills: readonly DisabledSkill[];
  /** The MCP servers that skills bring. */
  readonly skillServers: readonly McpServer[];
}

/** Reads the operator's own skills, those of other agents and those that were installed. */
export function readSkills({
  home,
  takenServers,
  isOwnVariable,
  ...source
}: Required<Parameters<typeof loadSkillRegistry>[0]> & {
  readonly home: string;
  readonly environment: Environment;
  /** Names of MCP servers that no skill may bring. */
  readonly takenServers: readonly string[];
  readonly isOwnVariable: IsOwnVariable;
}): ({ readonly kind: "read" } & SkillsRead) | { readonly kind: "faulty"; readonly faults: readonly ConfigFault[] } {
  const loaded = loadSkillRegistry(source);
  if (loaded.kind === "faulty") return loaded;
  const { faults, warnings } = loaded.registry;
  const own = loaded.registry.list();
  const installed = loadInstalled(
    skillsFolderOf(home),
    source.environment,
    own.flatMap(({ id, origin }) => (origin === "config" ? [id] : [])),
    isOwnVariable,
  );
  const pinned = installed.skills.filter(({ id }) => !source.exclude.includes(id));
  // An approved skill takes precedence over one that is only in a folder of other agents.
  const hidden = own.filter(({ id, origin }) => origin === "shared" && pinned.some((skill) => skill.id === id));
  const all = [...own.filter((skill) => !hidden.includes(skill)), ...pinned];
  const brought = listSkillServers(all, takenServers);
  return {
    kind: "read",
    skills: createSkillRegistry(all, {
      faults,
      warnings: [...warnings, ...hidden.map(tellHidden), ...brought.warnings],
    }),
    disabledSkills: installed.disabled,
    skillServers: brought.servers,
  };
}

function tellHidden({ folder }: Skill): ConfigFault {
  const problem = "has the id of an installed skill, which is used";
  return { file: join(folder, "SKILL.md"), line: 1, column: 1, key: "name", problem };
}
