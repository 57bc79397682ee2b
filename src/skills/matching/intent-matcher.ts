import type { Logger } from "pino";
import { createSkillFinder, isCalled, type MatchedSkill, type SkillFinder } from "./find-skills.ts";
import { loadSkillModels } from "./skill-models.ts";

/** The ids of the skills an utterance calls for, the surest first. Never throws. */
export type IntentMatcher = (skills: readonly MatchedSkill[], utterance: string) => Promise<readonly string[]>;

/**
 * Finds skills by what was learnt from sentences, and by their words. Weights are read with the first message, and again
 * when the skills have changed.
 */
export function createIntentMatcher(parts: {
  readonly table: () => string;
  readonly cache: string;
  readonly log: Logger;
}): IntentMatcher {
  let kept: { readonly skills: readonly MatchedSkill[]; readonly finder: Promise<SkillFinder> } | undefined;

  function prepare(skills: readonly MatchedSkill[]): Promise<SkillFinder> {
    if (kept?.skills !== skills) {
      const places = { table: parts.table(), cache: parts.cache };
      const models = loadSkillModels(skills, { places, log: parts.log });
      kept = { skills, finder: models.then((learnt) => createSkillFinder(skills, learnt)) };
    }
    return kept.finder;
  }

  return async (skills, utterance) => {
    if (skills.length === 0 || utterance.trim() === "") return [];
    const finder = await prepare(skills);
    return finder
      .weigh(utterance)
      .filter(isCalled)
      .map(({ skill }) => skill);
  };
}
