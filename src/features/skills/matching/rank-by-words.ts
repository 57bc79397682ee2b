import { stemmer } from "stemmer";
import { normalizeUtterance } from "../../../core/learning/normalize-utterance.ts";

/** The items whose text shares words or pairs of characters with the query, the most first. */
export function rankByWords<Item>(
  query: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
): readonly Item[] {
  const wanted = cut(query);
  return items
    .map((item) => {
      const there = cut(textOf(item));
      const shared = [...wanted].filter((piece) => there.has(piece)).length;
      return { item, weight: shared / Math.max(1, wanted.size) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ item }) => item);
}

/** Latin words without their endings, anything else in pairs of characters. */
function cut(text: string): ReadonlySet<string> {
  const pieces = new Set<string>();
  for (const [run] of normalizeUtterance(text).matchAll(/[a-z0-9]{2,}|[^\s\p{P}\p{S}a-z0-9]+/gu)) {
    if (/^[a-z0-9]/.test(run)) pieces.add(stemmer(run));
    else for (let at = 0; at + 1 < run.length; at += 1) pieces.add(run.slice(at, at + 2));
  }
  return pieces;
}
