/** One step from the old lines to the new ones. Counted from 0; `keep` names both sides. */
export type LineStep =
  | { readonly kind: "keep"; readonly old: number; readonly new: number }
  | { readonly kind: "remove"; readonly old: number }
  | { readonly kind: "add"; readonly new: number };

/** Edits beyond which no shortest way is looked for; the work and the memory grow with their square. */
const maxEdits = 1_000;

/**
 * The shortest way from one list of lines to another (Myers, "An O(ND) Difference Algorithm and Its Variations", 1986,
 * the greedy one). When more than 1,000 edits are needed everything between the equal beginning and the equal end is
 * taken away and put back, which is a correct way, not a short one.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineStep[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const oldMiddle = before.slice(head, before.length - tail);
  const newMiddle = after.slice(head, after.length - tail);
  const middle = findShortest(oldMiddle, newMiddle) ?? replaceAll(oldMiddle.length, newMiddle.length);
  const keep = (old: number, added: number, count: number) =>
    Array.from({ length: count }, (_, at): LineStep => ({ kind: "keep", old: old + at, new: added + at }));
  return [
    ...keep(0, 0, head),
    ...middle.map((step) => shift(step, head)),
    ...keep(before.length - tail, after.length - tail, tail),
  ];
}

function shift(step: LineStep, by: number): LineStep {
  switch (step.kind) {
    case "keep":
      return { kind: "keep", old: step.old + by, new: step.new + by };
    case "remove":
      return { kind: "remove", old: step.old + by };
    case "add":
      return { kind: "add", new: step.new + by };
  }
}

function replaceAll(oldCount: number, newCount: number): LineStep[] {
  return [
    ...Array.from({ length: oldCount }, (_, at): LineStep => ({ kind: "remove", old: at })),
    ...Array.from({ length: newCount }, (_, at): LineStep => ({ kind: "add", new: at })),
  ];
}

/** `reached[k]` = how far the old side is on diagonal k (old - new) after so many edits; one copy is kept of each round. */
function findShortest(before: readonly string[], after: readonly string[]): LineStep[] | undefined {
  const limit = Math.min(maxEdits, before.length + after.length);
  const offset = limit + 1;
  const reached = new Int32Array(2 * limit + 3);
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits += 1) {
    rounds.push(reached.slice(offset - edits - 1, offset + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && at(reached, offset + k - 1) < at(reached, offset + k + 1));
      let x = down ? at(reached, offset + k + 1) : at(reached, offset + k - 1) + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1;
      reached[offset + k] = x;
      if (x >= before.length && x - k >= after.length) return trace(rounds, before.length, after.length);
    }
  }
  return undefined;
}

/** From the end back to the beginning. `rounds[d]` holds diagonals -d-1 … d+1 as they were before round d. */
function trace(rounds: readonly Int32Array[], oldCount: number, newCount: number): LineStep[] {
  const steps: LineStep[] = [];
  let [x, y] = [oldCount, newCount];
  for (const [edits, row] of [...rounds.entries()].toReversed()) {
    const k = x - y;
    const down = k === -edits || (k !== edits && at(row, edits + k) < at(row, edits + k + 2));
    const fromX = edits === 0 ? 0 : at(row, edits + (down ? k + 2 : k));
    const fromY = edits === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    const [startX, startY] = edits === 0 ? [0, 0] : down ? [fromX, fromY + 1] : [fromX + 1, fromY];
    while (x > startX && y > startY) {
      x -= 1;
      y -= 1;
      steps.push({ kind: "keep", old: x, new: y });
    }
    if (edits > 0) steps.push(down ? { kind: "add", new: fromY } : { kind: "remove", old: fromX });
    [x, y] = [fromX, fromY];
  }
  return steps.toReversed();
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0;
}
