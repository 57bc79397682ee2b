import { isForeign, type MatchedSkill } from "../loader/types.ts";
import { turnIntoChances } from "../../../core/learning/learn-labels.ts";
import { noSkill } from "./sentence-table.ts";
import { type LinearModel, readWeight, scoreFeatures } from "../../../core/learning/linear-model.ts";
import { normalizeUtterance } from "../../../core/learning/normalize-utterance.ts";
import type { SkillModels } from "./skill-models.ts";
import { nameFeatures } from "../../../core/learning/text-features.ts";
import { cutPieces, type Piece } from "./cut-pieces.ts";
import { minSureScore, searchSkills } from "./search-skills.ts";

/** The score of a skill. It is called for if the score is above the threshold. */
export interface Evidence {
  readonly skill: string;
  /**
   * A keyword always counts, a topic where the message asks for something, and sentences as much as it resembles them. The words
   * of descriptions and texts count only for skills that have no sentences, and are a hint: they bring no text by themselves.
   */
  readonly by: "keyword" | "topic" | "sentences" | "words";
  readonly score: number;
  readonly threshold: number;
  /** The word, or the message or clause that resembles the skill's sentences. */
  readonly found: string;
}

/** Skills ready to be found. */
export interface SkillFinder {
  /** The strongest evidence for each skill that has any, the surest first. Time is linear in the message. */
  weigh(utterance: string): readonly Evidence[];
  /** The runs of characters in a text that speak most for a skill, or against it. */
  explain(skill: string, text: string): readonly (readonly [run: string, weight: number])[];
  /** The share of people's messages that finds it, measured with its own sentences; undefined = it has none. */
  recall(skill: string): number | undefined;
}

/**
 * Chosen in cross-validation over the batches of sentences.tsv, for the best F1 with at most 5 % false activations
 * (`npm run bench skills`).
 */
const minChance = { message: 0.45, clause: 0.7 } as const;
/** A skill less likely than this is not worth a line. */
const minShown = 0.05;
const maxShown = 8;

export interface Word {
  readonly skill: string;
  readonly kind: "keyword" | "topic";
  readonly word: string;
}

export function createSkillFinder(skills: readonly MatchedSkill[], models: SkillModels): SkillFinder {
  const ids = new Set(skills.map(({ id }) => id));
  const foreign = new Set(skills.filter(isForeign).map(({ id }) => id));
  const rank = (one: Evidence): number => rankEvidence(one, foreign.has(one.skill));
  const order = ({ skill }: Evidence): string => `${foreign.has(skill) ? 1 : 0} ${skill}`;
  const words = skills.flatMap(listWords);
  return {
    weigh(utterance) {
      const pieces = cutPieces(utterance);
      const chances = pieces.map(({ features }) => tellChances(models.shared, features));
      const found = [
        ...findWords(words, pieces, chances),
        ...findShared(models.shared, pieces, chances).filter(({ skill }) => models.taught.has(skill)),
        ...(models.own ?? []).flatMap((own) => findOwn(own, pieces)),
        ...findByWords(skills, models, utterance),
      ].filter(({ skill }) => ids.has(skill));
      const best = new Map<string, Evidence>();
      for (const one of found) {
        const known = best.get(one.skill);
        if (!known || rank(one) > rank(known)) best.set(one.skill, one);
      }
      return [...best.values()].sort((a, b) => rank(b) - rank(a) || (order(a) < order(b) ? -1 : 1));
    },
    explain(skill, text) {
      const names = nameFeatures(normalizeUtterance(text));
      const length = Math.sqrt(Math.max(1, names.size));
      for (const model of listModels(models, skill)) {
        const column = model.columns.findIndex(({ name }) => name === skill);
        if (column < 0) continue;
        return [...names]
          .map(([feature, run]) => [run, readWeight(model, feature, column) / length] as const)
          .sort(([, one], [, other]) => Math.abs(other) - Math.abs(one))
          .slice(0, maxShown)
          .filter(([, weight]) => weight !== 0);
      }
      return [];
    },
    recall: (skill) =>
      listModels(models, skill).flatMap(({ columns }) => columns.find(({ name }) => name === skill) ?? [])[0]?.recall,
  };
}

export const isCalled = ({ score, threshold }: Evidence): boolean => score > threshold;

/** Skills that nothing was learnt about, by their descriptions and texts. */
function findByWords(skills: readonly MatchedSkill[], models: SkillModels, utterance: string): readonly Evidence[] {
  const learnt = new Set((models.own ?? []).flatMap(({ columns }) => columns.map(({ name }) => name)));
  const unknown = new Set(skills.flatMap(({ id }) => (models.taught.has(id) || learnt.has(id) ? [] : [id])));
  if (unknown.size === 0) return [];
  return searchSkills(skills, utterance).flatMap(({ id, isSure, named, score }): Evidence[] =>
    isSure && unknown.has(id)
      ? [{ skill: id, by: "words", score, threshold: minSureScore, found: named.join(" ") }]
      : [],
  );
}

/** The models that may know a skill. */
function listModels({ shared, taught, own = [] }: SkillModels, skill: string): readonly LinearModel[] {
  return shared && taught.has(skill) ? [shared] : own;
}

/**
 * A keyword is surest, one of other people's skills less so. The scores of the kinds are compared by how far they are above
 * their thresholds.
 */
function rankEvidence({ by, score, threshold }: Evidence, foreign: boolean): number {
  if (by === "keyword") return foreign ? 2 : 3;
  if (by === "words") return 1;
  return score > threshold ? 1 + (score - threshold) / Math.max(score, 1) : score / threshold;
}

/**
 * The words of a skill as messages are searched for them. For skills of other authors a single character does not
 * count: it occurs in every message.
 */
export function listWords(skill: MatchedSkill): readonly Word[] {
  const foreign = isForeign(skill);
  const list = (kind: Word["kind"], words: readonly string[]) =>
    words.flatMap((one): Word[] => {
      const word = normalizeUtterance(one);
      return word === "" || (foreign && Array.from(word).length === 1) ? [] : [{ skill: skill.id, kind, word }];
    });
  return [...list("keyword", skill.trigger.keywords), ...list("topic", skill.trigger.topics)];
}

interface Chances {
  /** By column of the model. */
  readonly all: Float64Array;
  readonly none: number;
}

function tellChances(shared: LinearModel | undefined, features: Uint32Array): Chances {
  const all = shared ? scoreFeatures(shared, features) : new Float64Array();
  turnIntoChances(all);
  return { all, none: all[shared?.columns.findIndex(({ name }) => name === noSkill) ?? -1] ?? 0 };
}

function findWords(words: readonly Word[], pieces: readonly Piece[], chances: readonly Chances[]): readonly Evidence[] {
  return pieces.flatMap(({ text }, at) =>
    words
      .filter(({ word }) => containsWord(text, word))
      .map(({ skill, kind, word }): Evidence => {
        const score = kind === "keyword" ? 1 : 1 - (chances[at]?.none ?? 0);
        return { skill, by: kind, score, threshold: kind === "keyword" ? 0 : 0.5, found: word };
      }),
  );
}

function findShared(
  shared: LinearModel | undefined,
  pieces: readonly Piece[],
  chances: readonly Chances[],
): readonly Evidence[] {
  if (!shared) return [];
  return pieces.flatMap(({ text }, at) =>
    shared.columns.flatMap(({ name }, column): Evidence[] => {
      const score = chances[at]?.all[column] ?? 0;
      const threshold = at === 0 ? minChance.message : minChance.clause;
      return name === noSkill || score < minShown
        ? []
        : [{ skill: name, by: "sentences", score, threshold, found: text }];
    }),
  );
}

function findOwn(own: LinearModel | undefined, pieces: readonly Piece[]): readonly Evidence[] {
  if (!own) return [];
  return pieces.flatMap(({ text, features }) =>
    [...scoreFeatures(own, features)].flatMap((score, column): Evidence[] => {
      const { name = "", threshold = 0 } = own.columns[column] ?? {};
      return score < minShown * threshold ? [] : [{ skill: name, by: "sentences", score, threshold, found: text }];
    }),
  );
}

/** Latin words must stand alone, so that 「date」 is not found in 「update」; Chinese and Japanese know no gaps. */
export function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + word.length);
    const startsFree = !/^[a-z0-9]/.test(word) || !/[a-z0-9_]/.test(before);
    const endsFree = !/[a-z0-9]$/.test(word) || !/[a-z0-9_]/.test(after);
    if (startsFree && endsFree) return true;
  }
  return false;
}
