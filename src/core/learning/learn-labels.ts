import type { LearntColumn } from "./linear-model.ts";
import { listFeatures } from "./text-features.ts";
import { normalizeUtterance } from "./normalize-utterance.ts";

/** A text and what it is; several labels share it. */
export interface LabelledText {
  readonly labels: readonly [string, ...string[]];
  readonly text: string;
}

/** The features of a normalised text, each as a number. */
type ListFeatures = (text: string) => Uint32Array;

interface HowToLearn {
  readonly list: ListFeatures;
  /** Each is an order of the texts; more of them make weights steadier and take as many times as long. */
  readonly seeds: readonly number[];
  readonly epochs: number;
}

const thorough: HowToLearn = { list: listFeatures, seeds: [1, 2, 3], epochs: 20 };
const decay = 1e-4;
/** A run of characters seen in one text only teaches little and takes most of the room. */
const minTexts = 2;

/**
 * Softmax regression over the labels, by AdaGrad. The same texts give the same weights: the
 * orders come from fixed seeds, and the weights are the mean of all.
 */
export function learnLabels(
  texts: readonly LabelledText[],
  { epochs, list, seeds }: HowToLearn = thorough,
): readonly LearntColumn[] {
  const names = [...new Set(texts.flatMap(({ labels }) => labels))].sort();
  const width = names.length;
  const { index, rows } = indexRows(texts, names, list);
  const weights = new Float32Array(index.size * width);
  const biases = new Float64Array(width);
  for (const seed of seeds) {
    const learnt = descend(rows, { epochs, features: index.size, width, random: createRandom(seed) });
    learnt.weights.forEach((weight, at) => (weights[at] = (weights[at] ?? 0) + weight / seeds.length));
    learnt.biases.forEach((bias, at) => (biases[at] = (biases[at] ?? 0) + bias / seeds.length));
  }
  const features = Uint32Array.from(index.keys()).sort();
  return names.map((name, column) => ({
    name,
    bias: biases[column] ?? 0,
    threshold: 0,
    recall: 1,
    features,
    weights: Float32Array.from(features, (feature) => weights[(index.get(feature) ?? 0) * width + column] ?? 0),
  }));
}

interface Row {
  readonly features: Uint32Array;
  /** Its features all have this value: the text's length is 1. */
  readonly value: number;
  /** The part that each column should get. */
  readonly wanted: Float64Array;
}

function indexRows(texts: readonly LabelledText[], names: readonly string[], list: ListFeatures) {
  const features = texts.map(({ text }) => list(normalizeUtterance(text)));
  const counts = new Map<number, number>();
  for (const list of features) for (const feature of list) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const index = new Map<number, number>();
  for (const [feature, count] of counts) if (count >= minTexts) index.set(feature, index.size);
  const rows = texts.map(({ labels }, at): Row => {
    const list = features[at] ?? new Uint32Array();
    const wanted = new Float64Array(names.length);
    for (const name of labels) wanted[names.indexOf(name)] = 1 / labels.length;
    const known = [...list].flatMap((feature) => index.get(feature) ?? []);
    return { features: Uint32Array.from(known), value: 1 / Math.sqrt(Math.max(1, list.length)), wanted };
  });
  return { index, rows };
}

function descend(
  rows: readonly Row[],
  {
    epochs,
    features,
    random,
    width,
  }: { readonly epochs: number; readonly features: number; readonly width: number; readonly random: () => number },
) {
  const weights = new Float32Array(features * width);
  const biases = new Float64Array(width);
  const steepness = new Float64Array(features).fill(1e-6);
  const chances = new Float64Array(width);
  const order = rows.slice();
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    shuffle(order, random);
    for (const row of order) {
      chances.set(biases);
      for (const feature of row.features)
        for (let column = 0; column < width; column += 1)
          chances[column]! += weights[feature * width + column]! * row.value;
      turnIntoChances(chances);
      let error = 0;
      for (let column = 0; column < width; column += 1) {
        chances[column]! -= row.wanted[column]!;
        error += chances[column]! ** 2;
      }
      if (error < 1e-7) continue;
      for (const feature of row.features) {
        steepness[feature]! += error * row.value ** 2;
        const rate = 1 / Math.sqrt(steepness[feature]!);
        for (let column = 0; column < width; column += 1) {
          const at = feature * width + column;
          weights[at]! -= rate * (chances[column]! * row.value + decay * weights[at]!);
        }
      }
      for (let column = 0; column < width; column += 1) biases[column]! -= 0.02 * chances[column]!;
    }
  }
  return { weights, biases };
}

/** Softmax, in place. */
export function turnIntoChances(scores: Float64Array): void {
  let largest = -Infinity;
  for (const score of scores) if (score > largest) largest = score;
  let sum = 0;
  for (let at = 0; at < scores.length; at += 1) {
    const chance = Math.exp((scores[at] ?? 0) - largest);
    scores[at] = chance;
    sum += chance;
  }
  for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] ?? 0) / sum;
}

function shuffle(rows: Row[], random: () => number): void {
  for (let at = rows.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [rows[at], rows[other]] = [rows[other]!, rows[at]!];
  }
}

/** mulberry32: small, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
