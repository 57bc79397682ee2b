import type { ConfigFault } from "../../core/yaml-file.ts";
import { loadSkills } from "./loader/load-skills.ts";
import type { Environment, Skill } from "./loader/types.ts";

/**
 * The skills of one moment. A registry never changes; when files change a new one takes its place, and a turn that has
 * begun keeps the text it was given.
 */
export interface SkillRegistry {
  list(): readonly Skill[];
  find(id: string): Skill | undefined;
  /** Skills that were refused when they were read, and smaller flaws. */
  readonly faults: readonly ConfigFault[];
  readonly warnings: readonly ConfigFault[];
}

export function createSkillRegistry(
  skills: readonly Skill[],
  notes: Pick<SkillRegistry, "faults" | "warnings"> = { faults: [], warnings: [] },
): SkillRegistry {
  const snapshot = Object.freeze([...skills]);
  const byId = new Map(snapshot.map((skill) => [skill.id, skill]));
  return {
    list: () => snapshot,
    find: (id) => byId.get(id),
    faults: notes.faults,
    warnings: notes.warnings,
  };
}

interface RegistrySource {
  /** config/skills, or the shipped folder in its place. */
  readonly folder: string;
  /** Folders that other agents read, too; the first that has an id wins, and the operator's own before all of them. */
  readonly shared?: readonly string[];
  readonly exclude?: readonly string[];
  readonly environment: Environment;
  /** The previous registry: a skill whose file has become faulty keeps its state from there. */
  readonly previous?: SkillRegistry | undefined;
}

/**
 * Reads every skill. Without a previous registry, a faulty skill.yaml refuses the whole start, like any fault of the
 * configuration; a faulty SKILL.md is left out, as the standard's client guide asks. With one, only the faulty skill is
 * refused, and its last good version stays.
 */
export function loadSkillRegistry({
  folder,
  shared = [],
  exclude = [],
  environment,
  previous,
}: RegistrySource):
  | { readonly kind: "loaded"; readonly registry: SkillRegistry }
  | { readonly kind: "faulty"; readonly faults: readonly ConfigFault[] } {
  const own = loadSkills(folder, environment);
  const blocking = own.faults.filter(({ file }) => !file.endsWith("SKILL.md"));
  if (previous === undefined && blocking.length > 0) return { kind: "faulty", faults: blocking };
  const kept = own.refused.flatMap((id) => {
    const skill = previous?.find(id);
    return skill?.origin === "config" && !skill.installed ? [skill] : [];
  });
  const skills = new Map([...own.skills, ...kept].map((skill) => [skill.id, skill]));
  const warnings = [...own.warnings];
  for (const place of shared) {
    const loaded = loadSkills(place, environment, "shared");
    // Files of other people never stop ours.
    warnings.push(...loaded.faults, ...loaded.warnings);
    for (const skill of loaded.skills) {
      const known = skills.get(skill.id);
      if (!known) skills.set(skill.id, skill);
      else {
        const problem = `has the id of ${known.folder}, which is used`;
        warnings.push({ file: `${skill.folder}/SKILL.md`, line: 1, column: 1, key: "name", problem });
      }
    }
  }
  const wanted = [...skills.values()].filter(({ id }) => !exclude.includes(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  return { kind: "loaded", registry: createSkillRegistry(wanted, { faults: own.faults, warnings }) };
}
