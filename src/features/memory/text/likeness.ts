/** How alike two texts are by their words, 0 to 1 (Jaccard). */
export function measureLikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 && other.size === 0) return 1;
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared / (one.size + other.size - shared);
}
