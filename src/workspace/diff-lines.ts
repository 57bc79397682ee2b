import { diffArrays } from "diff";

/** A step from the old lines to the new ones. Counted from 0; `keep` names both sides. */
export type LineStep =
  | { readonly kind: "keep"; readonly old: number; readonly new: number }
  | { readonly kind: "remove"; readonly old: number }
  | { readonly kind: "add"; readonly new: number };

/** Edits beyond which no shortest way is looked for; the work and the memory grow with their square. */
const maxEdits = 1_000;

/**
 * The shortest way from one list of lines to another. When more than 1,000 edits are needed everything between the equal
 * beginning and the equal end is taken away and put back, which is a correct way, not a short one.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineStep[] {
  const spans = diffArrays([...before], [...after], { maxEditLength: maxEdits }) ?? replaceMiddle(before, after);
  const at = { old: 0, new: 0 };
  return spans.flatMap(({ added, count, removed }) =>
    Array.from({ length: count }, (): LineStep => {
      if (removed) return { kind: "remove", old: at.old++ };
      if (added) return { kind: "add", new: at.new++ };
      return { kind: "keep", old: at.old++, new: at.new++ };
    }),
  );
}

function replaceMiddle(before: readonly string[], after: readonly string[]) {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const keep = (count: number) => ({ count, added: false, removed: false });
  return [
    keep(head),
    { count: before.length - head - tail, added: false, removed: true },
    { count: after.length - head - tail, added: true, removed: false },
    keep(tail),
  ];
}
