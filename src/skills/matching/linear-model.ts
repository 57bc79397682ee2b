import { createHash } from "node:crypto";

/**
 * Weights of features for several columns, a skill each. One small file holds it, and reading it copies nothing: features in
 * order, where the entries of each begin, and of each entry its column and its weight in steps of the column's scale.
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
  readonly weights: ReadonlyMap<number, number>;
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
function findFeature(features: Uint32Array, feature: number): number {
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
const leastSteps = 4;

/** Rounds the weights to 255 steps a column, and leaves out the smallest. */
export function packModel(learnt: readonly LearntColumn[]): LinearModel {
  const entries = new Map<number, (readonly [column: number, steps: number])[]>();
  const columns = learnt.map(({ weights, ...column }, index): Column => {
    let largest = 0;
    for (const weight of weights.values()) largest = Math.max(largest, Math.abs(weight));
    const scale = largest / 127;
    for (const [feature, weight] of weights) {
      const steps = Math.round(weight / scale);
      if (!(Math.abs(steps) >= leastSteps)) continue;
      const known = entries.get(feature);
      if (known) known.push([index, steps]);
      else entries.set(feature, [[index, steps]]);
    }
    return { ...column, scale };
  });
  const features = Uint32Array.from(entries.keys()).sort();
  const starts = new Uint32Array(features.length + 1);
  const flat = [...features].flatMap((feature, at) => {
    const own = entries.get(feature) ?? [];
    starts[at + 1] = (starts[at] ?? 0) + own.length;
    return own;
  });
  return {
    columns,
    features,
    starts,
    entryColumns: Uint16Array.from(flat, ([column]) => column),
    entryWeights: Int8Array.from(flat, ([, steps]) => steps),
  };
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

/** undefined = these are not the bytes that were written. */
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
