import { createRuleMatcher } from "../../src/skills/matching/rule-matcher.ts";
import type { SkillRegistry } from "../../src/skills/skill-registry.ts";

/** The rules of a skill registry, here and now; the product asks them on a thread (intent-matcher.ts). */
export function createMatch({ list }: SkillRegistry): (utterance: string) => readonly string[] {
  const match = createRuleMatcher(list());
  return (utterance) => match(utterance).map(({ skill }) => skill.id);
}
