import { createIntentMatcher } from "../../src/skills/matching/intent-matcher.ts";
import type { SkillRegistry } from "../../src/skills/skill-registry.ts";

/** The rules of a library, here and now; the product asks them on a thread (match-aside.ts). */
export function createMatch({ list }: SkillRegistry): (utterance: string) => readonly string[] {
  const match = createIntentMatcher(list());
  return (utterance) => match(utterance).map(({ skill }) => skill.id);
}
