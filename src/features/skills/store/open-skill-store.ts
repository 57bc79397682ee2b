import { mkdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { systemClock } from "../../../core/clock.ts";
import { loadSkill } from "../loader/load-skills.ts";
import type { Skill } from "../loader/types.ts";
import type { IsOwnVariable } from "./skill-rights.ts";
import { createSkillStore, skillsFolderOf, type SkillStore } from "./skill-store.ts";

/** The folder of installed skills; created, so that it can be watched. */
export function prepareSkillsFolder(home: string): string {
  const folder = skillsFolderOf(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The store of a data folder. `skills` = those there are, `table` = the file that skills are learnt from. */
export function openSkillStore(parts: {
  readonly home: string;
  readonly skills: () => readonly Skill[];
  readonly table: string;
  readonly isOwnVariable: IsOwnVariable;
}): SkillStore {
  return createSkillStore({
    ...parts,
    taken: () =>
      parts
        .skills()
        .flatMap(({ id, installed, origin }) => (installed === undefined && origin === "config" ? [id] : [])),
    load: (folder, environment) => loadSkill(dirname(folder), basename(folder), environment),
    clock: systemClock,
  });
}
