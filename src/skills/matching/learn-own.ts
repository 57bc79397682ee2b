import type { LearntColumn } from "./linear-model.ts";
import { normalizeUtterance } from "./normalize-utterance.ts";
import type { LabelledSentence } from "./sentence-table.ts";
import { cutPieces, listFeatures } from "./utterance-features.ts";

/** A skill that is not in the table, with its own sentences. */
export interface TaughtSkill {
  readonly id: string;
  readonly sentences: readonly string[];
}

/** Of the table's sentences, which are about other things, the part that one such skill may find. */
const mostFalse = 0.005;
/** Of the score of its own sentences: in a language that the table does not have, any word in common would do. */
const leastLikeness = 0.1;
const folds = 4;
const smoothing = 0.01;

/**
 * A column for each skill: the log of how much more often a run of characters stands in its sentences than in the table's.
 * Counting needs no tuning, and with few sentences it does better than descent. The threshold comes from sentences of the
 * table that were left out of the counts.
 */
export function learnOwn(skills: readonly TaughtSkill[], table: readonly LabelledSentence[]): readonly LearntColumn[] {
  const corpus = countCorpus(table);
  return skills.map((skill) => learnOne(skill, corpus));
}

interface Corpus {
  readonly sentences: number;
  /** In how many sentences of each fold a feature stands. */
  readonly counts: ReadonlyMap<number, Uint16Array>;
  /** The pieces that a feature stands in. */
  readonly places: ReadonlyMap<number, readonly number[]>;
  /** Of each piece: its sentence and the number of its features. */
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
  const seen = new Map<number, number>();
  for (const features of own) for (const feature of features) seen.set(feature, (seen.get(feature) ?? 0) + 1);
  const weights = new Map<number, number>();
  const scores = new Float64Array(corpus.pieces.length);
  for (const [feature, count] of seen) {
    const ofFolds = weigh(corpus, feature, count, own.length);
    const mean = ofFolds.reduce((sum, weight) => sum + weight, 0) / folds;
    if (mean > 0) weights.set(feature, mean);
    // A sentence is scored by the counts of the other folds.
    for (const place of corpus.places.get(feature) ?? []) {
      const fold = (corpus.pieces[place]?.sentence ?? 0) % folds;
      scores[place] = (scores[place] ?? 0) + (ofFolds[fold] ?? 0);
    }
  }
  const ownScores = own.map((features) => sumWeights(weights, features) / Math.sqrt(features.length));
  const usual = ownScores.reduce((sum, score) => sum + score, 0) / Math.max(1, own.length);
  const threshold = Math.max(findThreshold(scores, corpus), usual * leastLikeness);
  const found = own.filter((features) => {
    // As if it had not been among the sentences.
    let score = 0;
    for (const feature of features) {
      const others = (seen.get(feature) ?? 0) - 1;
      if (others > 0)
        score += weigh(corpus, feature, others, own.length - 1).reduce((sum, weight) => sum + weight, 0) / folds;
    }
    return score / Math.sqrt(features.length) > threshold;
  });
  return { name: id, bias: 0, threshold, recall: found.length / Math.max(1, own.length), weights };
}

function sumWeights(weights: ReadonlyMap<number, number>, features: Uint32Array): number {
  return features.reduce((sum, feature) => sum + (weights.get(feature) ?? 0), 0);
}

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
  return best.sort().at(-1 - Math.floor(sentences * mostFalse)) ?? Infinity;
}
