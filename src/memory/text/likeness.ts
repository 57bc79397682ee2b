import { foldText } from "../../store/search/fold-text.ts";

/** How alike two texts are by their words, 0 to 1 (Jaccard). */
export function measureLikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 && other.size === 0) return 1;
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared / (one.size + other.size - shared);
}

/** Pairs of neighbouring letters, whatever the script; spaces and marks do not count. */
export function listPairs(text: string): ReadonlySet<string> {
  const letters = foldText(text).replaceAll(/[^\p{L}\p{N}]+/gu, "");
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < letters.length; at += 1) pairs.add(letters.slice(at, at + 2));
  return letters.length === 1 ? new Set([letters]) : pairs;
}
