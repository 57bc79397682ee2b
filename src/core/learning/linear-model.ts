import { createHash } from "node:crypto";

/**
 * Weights of features for several columns, one per label. One small file holds it, and reading it copies nothing:
 * features in order, where the entries of each begin, and for each entry its column and its weight in steps of the
 * column's scale.
 */
export interface LinearModel {
  readonly columns: readonly Column[];
  readonly features: Uint32Array;
  readonly starts: Uint32Array;
  readonly entryColumns: Uint16Array;
  readonly entryWeights: Int8Array;
}

interface Column {
  readonly name: string;
  readonly bias: number;
  /** The weight of one step. */
  readonly scale: number;
  /** A score above it is a find. */
  readonly threshold: number;
  /** The part of its own sentences that it finds when they are held back. */
  readonly recall: number;
}

/** A column before its weights are rounded. */
export interface LearntColumn extends Omit<Column, "scale"> {
  /** In order. */
  readonly features: Uint32Array;
  /** The weight of each feature. */
  readonly weights: Float32Array;
}

/** The score of each column. Time is linear in the features. */
export function scoreFeatures(model: LinearModel, features: Uint32Array): Float64Array {
  const sums = new Float64Array(model.columns.length);
  for (const feature of features) {
    const at = findFeature(model.features, feature);
    if (at < 0) continue;
    const end = model.starts[at + 1] ?? 0;
    for (let entry = model.starts[at] ?? 0; entry < end; entry += 1) {
      const column = model.entryColumns[entry] ?? 0;
      sums[column] = (sums[column] ?? 0) + (model.entryWeights[entry] ?? 0);
    }
  }
  const length = Math.sqrt(Math.max(1, features.length));
  model.columns.forEach(({ bias, scale }, column) => (sums[column] = ((sums[column] ?? 0) * scale) / length + bias));
  return sums;
}

/** The weight of a feature for a column; 0 = it says nothing. */
export function readWeight(model: LinearModel, feature: number, column: number): number {
  const at = findFeature(model.features, feature);
  if (at < 0) return 0;
  const end = model.starts[at + 1] ?? 0;
  for (let entry = model.starts[at] ?? 0; entry < end; entry += 1) {
    if (model.entryColumns[entry] === column)
      return (model.entryWeights[entry] ?? 0) * (model.columns[column]?.scale ?? 0);
  }
  return 0;
}

/** The index of a feature in an ordered list; -1 = it is not there. */
export function findFeature(features: Uint32Array, feature: number): number {
  let low = 0;
  let high = features.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = features[middle] ?? 0;
    if (found === feature) return middle;
    if (found < feature) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Smaller weights are four fifths of the file and change no result that was measured. */
const minSteps = 4;

/** Rounds the weights to 255 steps a column, and leaves out the smallest. Takes a few bytes for each weight. */
export function packModel(learnt: readonly LearntColumn[]): LinearModel {
  const scales = learnt.map(({ weights }) => {
    return weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0) / 127;
  });
  const forEachEntry = (use: (feature: number, column: number, steps: number) => void): void =>
    learnt.forEach(({ features, weights }, column) =>
      features.forEach((feature, at) => {
        const steps = Math.round((weights[at] ?? 0) / (scales[column] ?? 0));
        if (Math.abs(steps) >= minSteps) use(feature, column, steps);
      }),
    );
  let entries = 0;
  forEachEntry(() => (entries += 1));
  const all = new Uint32Array(entries);
  let next = 0;
  forEachEntry((feature) => (all[next++] = feature));
  const { features, counts } = countRuns(all);
  const starts = new Uint32Array(features.length + 1);
  counts.forEach((count, at) => (starts[at + 1] = (starts[at] ?? 0) + count));
  const free = starts.slice();
  const entryColumns = new Uint16Array(entries);
  const entryWeights = new Int8Array(entries);
  forEachEntry((feature, column, steps) => {
    const at = findFeature(features, feature);
    const place = free[at] ?? 0;
    free[at] = place + 1;
    entryColumns[place] = column;
    entryWeights[place] = steps;
  });
  const columns = learnt.map(({ name, bias, threshold, recall }, at): Column => {
    return { name, bias, scale: scales[at] ?? 0, threshold, recall };
  });
  return { columns, features, starts, entryColumns, entryWeights };
}

/** Each feature once, in order, and how often it occurred. Sorts the list it is given. */
export function countRuns(all: Uint32Array): { readonly features: Uint32Array; readonly counts: Uint32Array } {
  all.sort();
  let distinct = 0;
  all.forEach((feature, at) => (distinct += at === 0 || feature !== all[at - 1] ? 1 : 0));
  const features = new Uint32Array(distinct);
  const counts = new Uint32Array(distinct);
  let last = -1;
  all.forEach((feature, at) => {
    if (at === 0 || feature !== all[at - 1]) features[(last += 1)] = feature;
    counts[last] = (counts[last] ?? 0) + 1;
  });
  return { features, counts };
}

/** A line of JSON with lengths and the SHA-256 of the rest, then the four lists. */
export function encodeModel({ columns, features, starts, entryColumns, entryWeights }: LinearModel): Uint8Array {
  const lists = [features, starts, entryColumns, entryWeights];
  const body = Buffer.concat(
    lists.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );
  const head = JSON.stringify({ columns, features: features.length, entries: entryWeights.length, sum: digest(body) });
  return Buffer.concat([Buffer.from(`${head}\n`), body]);
}

/** Undefined when these are not the bytes that were written. */
export function decodeModel(bytes: Uint8Array): LinearModel | undefined {
  const end = bytes.indexOf(10) + 1;
  try {
    const head = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()) as {
      readonly columns: readonly Column[];
      readonly features: number;
      readonly entries: number;
      readonly sum: string;
    };
    // A copy of its own: the lists must begin where numbers of four bytes may.
    const body = new Uint8Array(bytes.subarray(end));
    if (digest(body) !== head.sum) return undefined;
    const { buffer } = body;
    const startsAt = 4 * head.features;
    const columnsAt = startsAt + 4 * (head.features + 1);
    return {
      columns: head.columns,
      features: new Uint32Array(buffer, 0, head.features),
      starts: new Uint32Array(buffer, startsAt, head.features + 1),
      entryColumns: new Uint16Array(buffer, columnsAt, head.entries),
      entryWeights: new Int8Array(buffer, columnsAt + 2 * head.entries, head.entries),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
