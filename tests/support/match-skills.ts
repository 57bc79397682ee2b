import { createIntentMatcher } from "../../src/skills/matching/intent-matcher.ts";
import type { SkillLibrary } from "../../src/skills/skill-library.ts";

/** The rules of a library, here and now; the product asks them on a thread (match-aside.ts). */
export function createMatch({ list }: SkillLibrary): (utterance: string) => readonly string[] {
  const match = createIntentMatcher(list());
  return (utterance) => match(utterance).map(({ skill }) => skill.id);
}
