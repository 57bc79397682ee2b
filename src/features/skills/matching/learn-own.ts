import { countRuns, findFeature, type LearntColumn } from "../../../core/learning/linear-model.ts";
import { normalizeUtterance } from "../../../core/learning/normalize-utterance.ts";
import type { LabelledSentence } from "./sentence-table.ts";
import { listFeatures } from "../../../core/learning/text-features.ts";
import { cutPieces } from "./cut-pieces.ts";

/** A skill that is not in the table, with its own sentences. */
export interface TaughtSkill {
  readonly id: string;
  readonly sentences: readonly string[];
}

/** The share of the table's sentences, which have other subjects, that one such skill may find. */
const maxFalse = 0.005;
/**
 * As a share of the score of its own sentences: in a language that the table does not have, any word in common would
 * do.
 */
const minLikeness = 0.1;
const folds = 4;
const smoothing = 0.01;

/**
 * A column for each skill: the log of how much more often a run of characters occurs in its sentences than in the
 * table's. Counting needs no tuning, and with few sentences it does better than descent. The threshold comes from
 * sentences of the table that were left out of the counts.
 */
export function learnOwn(skills: readonly TaughtSkill[], table: readonly LabelledSentence[]): readonly LearntColumn[] {
  const corpus = countCorpus(table);
  return skills.map((skill) => learnOne(skill, corpus));
}

interface Corpus {
  readonly sentences: number;
  /** In how many sentences of each fold a feature stands. */
  readonly counts: ReadonlyMap<number, Uint16Array>;
  /** The pieces that a feature occurs in. */
  readonly places: ReadonlyMap<number, readonly number[]>;
  /** For each piece its sentence and the number of its features. */
  readonly pieces: readonly { readonly sentence: number; readonly size: number }[];
}

function countCorpus(table: readonly LabelledSentence[]): Corpus {
  const counts = new Map<number, Uint16Array>();
  const places = new Map<number, number[]>();
  const pieces: { readonly sentence: number; readonly size: number }[] = [];
  for (const [sentence, { text }] of table.entries()) {
    for (const [at, { features }] of cutPieces(text).entries()) {
      for (const feature of features) {
        const known = places.get(feature);
        if (known) known.push(pieces.length);
        else places.set(feature, [pieces.length]);
        if (at > 0) continue;
        const count = counts.get(feature) ?? new Uint16Array(folds);
        count[sentence % folds] = (count[sentence % folds] ?? 0) + 1;
        counts.set(feature, count);
      }
      pieces.push({ sentence, size: features.length });
    }
  }
  return { sentences: table.length, counts, places, pieces };
}

function learnOne({ id, sentences }: TaughtSkill, corpus: Corpus): LearntColumn {
  const own = sentences.map((text) => listFeatures(normalizeUtterance(text)));
  const { features, counts } = countRuns(joinLists(own));
  const weights = new Float32Array(features.length);
  const scores = new Float64Array(corpus.pieces.length);
  features.forEach((feature, at) => {
    const ofFolds = weigh(corpus, feature, counts[at] ?? 0, own.length);
    weights[at] = average(ofFolds);
    // A sentence is scored by the counts of the other folds.
    for (const place of corpus.places.get(feature) ?? []) {
      const fold = (corpus.pieces[place]?.sentence ?? 0) % folds;
      scores[place] = (scores[place] ?? 0) + (ofFolds[fold] ?? 0);
    }
  });
  const score = (list: Uint32Array, weightAt: (at: number, feature: number) => number): number =>
    list.reduce((sum, feature) => sum + weightAt(findFeature(features, feature), feature), 0) / Math.sqrt(list.length);
  const usual = average(own.map((list) => score(list, (at) => weights[at] ?? 0)));
  const threshold = Math.max(findThreshold(scores, corpus), usual * minLikeness);
  const found = own.filter((list) => {
    // As if it had not been among the sentences.
    const heldBack = score(list, (at, feature) => {
      const others = (counts[at] ?? 0) - 1;
      return others > 0 ? average(weigh(corpus, feature, others, own.length - 1)) : 0;
    });
    return heldBack > threshold;
  });
  return { name: id, bias: 0, threshold, recall: found.length / Math.max(1, own.length), features, weights };
}

function joinLists(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let next = 0;
  for (const list of lists) {
    all.set(list, next);
    next += list.length;
  }
  return all;
}

const average = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);

/** The weight by the counts without each fold. */
function weigh({ sentences, counts }: Corpus, feature: number, count: number, of: number): readonly number[] {
  const elsewhere = counts.get(feature) ?? new Uint16Array(folds);
  const all = elsewhere.reduce((sum, one) => sum + one, 0);
  const here = (count + smoothing) / (of + 2 * smoothing);
  return Array.from(elsewhere, (inFold) => {
    const there = (all - inFold + smoothing) / (sentences * (1 - 1 / folds) + 2 * smoothing);
    return Math.max(0, Math.log(here / there));
  });
}

function findThreshold(scores: Float64Array, { sentences, pieces }: Corpus): number {
  const best = new Float64Array(sentences);
  for (const [place, { sentence, size }] of pieces.entries()) {
    best[sentence] = Math.max(best[sentence] ?? 0, (scores[place] ?? 0) / Math.sqrt(Math.max(1, size)));
  }
  return best.sort().at(-1 - Math.floor(sentences * maxFalse)) ?? Infinity;
}
