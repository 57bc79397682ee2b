import type { Language } from "../core/conversation.ts";
import type { ConfigFault } from "../core/yaml-file.ts";
import { matchSkills } from "./intent-matcher.ts";
import { injectKnowledge, type InjectedKnowledge } from "./knowledge-injector.ts";
import { loadSkills } from "./loader.ts";
import type { Skill, SkillMatch } from "./types.ts";

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
  /**
   * What those skills tell the model. Examples come only in the language that is spoken, so that they do not change it. An
   * installed skill takes part only where it was let in: `admitted` has the digest of its files by id.
   */
  recall(utterance: string, language: Language, admitted?: Admissions): RecalledSkills;
}

/** The digest of each installed skill that was let into a chat, by id. */
export type Admissions = Readonly<Record<string, string>>;

export interface RecalledSkills extends InjectedKnowledge {
  /** Ids of installed skills that could help but were not let in here. */
  readonly waiting: readonly string[];
}

export function createSkillLibrary(skills: readonly Skill[]): SkillLibrary {
  const snapshot = Object.freeze([...skills]);
  return {
    list: () => snapshot,
    match: (utterance) => matchSkills(utterance, snapshot).map(({ skill }) => skill.id),
    recall(utterance, language, admitted = {}) {
      const matches = matchSkills(utterance, snapshot);
      const isIn = ({ skill: { id, installed } }: SkillMatch) =>
        installed === undefined || (Object.hasOwn(admitted, id) && admitted[id] === installed.digest);
      const waiting = matches.filter((match) => !isIn(match)).map(({ skill }) => skill.id);
      return { ...injectKnowledge(matches.filter(isIn), { budget: knowledgeBudget, language }), waiting };
    },
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
