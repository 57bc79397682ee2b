import type { Language } from "../core/conversation.ts";
import type { ConfigFault } from "../core/yaml-file.ts";
import { createIntentMatcher } from "./matching/intent-matcher.ts";
import { injectKnowledge, type InjectedKnowledge } from "./knowledge-injector.ts";
import { loadSkills } from "./loader.ts";
import type { Skill } from "./types.ts";

/** How many characters of skill text one message may bring into the prompt. */
const knowledgeBudget = 3000;

/**
 * The skills of one moment. A library never changes; when files change a new one takes its place, and a turn that has
 * begun keeps the text it was given.
 */
export interface SkillLibrary {
  list(): readonly Skill[];
  /** The ids of the skills an utterance calls for, the surest first. */
  match(utterance: string): readonly string[];
  /** What those skills tell the model. Examples come only in the language that is spoken, so that they do not change it. */
  recall(utterance: string, language: Language): InjectedKnowledge;
}

export function createSkillLibrary(skills: readonly Skill[]): SkillLibrary {
  const snapshot = Object.freeze([...skills]);
  const matchSkills = createIntentMatcher(snapshot);
  return {
    list: () => snapshot,
    match: (utterance) => matchSkills(utterance).map(({ skill }) => skill.id),
    recall: (utterance, language) =>
      injectKnowledge(matchSkills(utterance), { budget: knowledgeBudget, language }),
  };
}

/** Reads config/skills. One faulty file refuses the whole folder, so that the last good library stays. */
export function loadSkillFolder(
  folder: string,
  environment: Record<string, string | undefined>,
):
  | { readonly kind: "loaded"; readonly library: SkillLibrary }
  | { readonly kind: "faulty"; readonly faults: readonly ConfigFault[] } {
  const { skills, faults } = loadSkills(folder, environment);
  return faults.length > 0 ? { kind: "faulty", faults } : { kind: "loaded", library: createSkillLibrary(skills) };
}
