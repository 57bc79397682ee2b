/** Turns texts into vectors whose nearness says how alike they are. */
export interface Embedder {
  /** The model by name: vectors of different ids are never compared. */
  readonly id: string;
  /** Length of each vector; undefined until the first answer shows it. */
  readonly dimensions: number | undefined;
  /**
   * Returns one vector of length 1 per text, in order; each text must contain letters. Throws when it cannot finish
   * within the timeout.
   */
  embed(texts: readonly string[], timeoutMs: number): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** The vector of length 1 in this direction; of zeros itself. */
export function toUnit(vector: ArrayLike<number>): Float32Array {
  const unit = Float32Array.from(vector);
  let sum = 0;
  for (const value of unit) sum += value * value;
  const length = Math.sqrt(sum);
  if (length > 0) for (let at = 0; at < unit.length; at += 1) unit[at] = (unit[at] ?? 0) / length;
  return unit;
}

/** The cosine of two vectors of length 1; -1 if they have different dimensions. */
export function compareUnits(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) return -1;
  let product = 0;
  for (let at = 0; at < one.length; at += 1) product += (one[at] ?? 0) * (other[at] ?? 0);
  return product;
}
