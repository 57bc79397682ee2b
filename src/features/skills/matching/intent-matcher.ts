import type { Logger } from "pino";
import type { MatchedSkill } from "../loader/types.ts";
import { createSkillFinder, isCalled, type SkillFinder } from "./find-skills.ts";
import { type LearnModel, loadSkillModels } from "./skill-models.ts";

/** The ids of the skills an utterance calls for, the surest first. Never throws. */
export interface IntentMatcher {
  (skills: readonly MatchedSkill[], utterance: string): Promise<readonly string[]>;
  /** Skills without learnt sentences whose descriptions match. They may be suggested to the model, no more. */
  hint(skills: readonly MatchedSkill[], utterance: string): Promise<readonly string[]>;
}

/** How long messages wait for learning to finish, counted from its beginning; then they use what has been learnt. */
const patience = 5_000;

/**
 * Finds skills by what was learnt from sentences, and by their words. Weights are read with the first message, and again
 * when the skills have changed.
 */
export function createIntentMatcher(parts: {
  readonly table: () => string;
  readonly cache: string;
  readonly log: Logger;
  readonly learn?: LearnModel;
  readonly patienceMs?: number;
}): IntentMatcher {
  let kept:
    | { readonly skills: readonly MatchedSkill[]; readonly finder: SkillFinder; readonly ready: Promise<void> }
    | undefined;

  async function prepare(skills: readonly MatchedSkill[]): Promise<SkillFinder> {
    if (kept?.skills !== skills) {
      const { log, learn, patienceMs = patience } = parts;
      const places = { table: parts.table(), cache: parts.cache };
      const { models, whole } = loadSkillModels(skills, { places, log, ...(learn && { learn }) });
      kept = { skills, finder: createSkillFinder(skills, models), ready: waitAtMost(whole, patienceMs) };
    }
    const { finder, ready } = kept;
    await ready;
    return finder;
  }

  async function find(skills: readonly MatchedSkill[], utterance: string, isHint: boolean) {
    if (skills.length === 0 || utterance.trim() === "") return [];
    const finder = await prepare(skills);
    return finder
      .weigh(utterance)
      .filter((one) => isCalled(one) && (one.by === "words") === isHint)
      .map(({ skill }) => skill);
  }

  return Object.assign((skills: readonly MatchedSkill[], utterance: string) => find(skills, utterance, false), {
    hint: (skills: readonly MatchedSkill[], utterance: string) => find(skills, utterance, true),
  });
}

async function waitAtMost(work: Promise<void>, limitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
