import { join } from "node:path";
import {
  createSkillRegistry,
  loadSkillRegistry,
  type SkillRegistry,
} from "../../src/features/skills/skill-registry.ts";

export const shippedSkillsFolder = join(import.meta.dirname, "../../config/skills");
export const skillFolders = [shippedSkillsFolder];

export function loadAllSkills(): SkillRegistry {
  const loaded = skillFolders.map((folder) => loadSkillRegistry({ folder, environment: {} }));
  const libraries = loaded.flatMap((one) => {
    if (one.kind === "faulty") throw new Error(`the skills must load: ${JSON.stringify(one.faults)}`);
    return [one.registry];
  });
  const skills = libraries.flatMap(({ list }) => list()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return createSkillRegistry(skills, { faults: libraries.flatMap(({ faults }) => faults), warnings: [] });
}
