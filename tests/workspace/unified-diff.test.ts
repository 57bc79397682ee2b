import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines } from "../../src/workspace/diff-lines.ts";
import { diffTexts } from "../../src/workspace/unified-diff.ts";
import { applyHunks } from "../support/apply-hunks.ts";

/** Few different lines, so that equal ones meet. */
const line = fc.constantFrom("a\n", "b\n", "c\n", "\n", "长一点的一行\n", "\r\n");
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom("", "no newline", "a", "\u2028x"))
  .map(([lines, last]) => lines.join("") + last);

/** Length of the longest common subsequence, by the textbook table. */
function countCommon(left: readonly string[], right: readonly string[]): number {
  let row = Array.from({ length: right.length + 1 }, () => 0);
  for (const one of left) {
    const next = [0];
    for (const [at, other] of right.entries()) {
      next.push(one === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe("the difference of two texts", () => {
  it("rebuilds the new text from the old one", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applyHunks(before, diffTexts(before, after).hunks)).toBe(after);
      }),
      { numRuns: 2_000 },
    );
  });

  it("rebuilds any two texts", () => {
    const any = fc.string({ unit: fc.oneof(fc.constantFrom("\n", "\n", "+", "-", " ", "@", "\\"), fc.string()) });
    fc.assert(
      fc.property(any, any, (before, after) => {
        expect(applyHunks(before, diffTexts(before, after).hunks)).toBe(after);
      }),
      { numRuns: 1_000 },
    );
  });

  it("the difference is the shortest one, and its steps go through both sides in order", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 14 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const steps = diffLines(before, after);
        const kept = steps.filter((step) => step.kind === "keep");
        expect(kept.length).toBe(countCommon(before, after));
        expect(steps.flatMap((step) => (step.kind === "add" ? [] : [step.old]))).toEqual([...before.keys()]);
        expect(steps.flatMap((step) => (step.kind === "remove" ? [] : [step.new]))).toEqual([...after.keys()]);
        expect(kept.every((step) => before[step.old] === after[step.new])).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it("the difference is written as diff -u writes it", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
    const after = "1\nzwei\n3\n4\n5\n6\n7\n8\n9\n10\n11\nlast";
    expect(diffTexts(before, after)).toEqual({
      added: 2,
      removed: 2,
      hunks: [
        "@@ -1,5 +1,5 @@\n 1\n-2\n+zwei\n 3\n 4\n 5\n",
        "@@ -9,4 +9,4 @@\n 9\n 10\n 11\n-12\n+last\n\\ No newline at end of file\n",
      ],
    });
    expect(diffTexts("", "a\nb\n").hunks).toEqual(["@@ -0,0 +1,2 @@\n+a\n+b\n"]);
    expect(diffTexts("a\n", "").hunks).toEqual(["@@ -1,1 +0,0 @@\n-a\n"]);
    expect(diffTexts("same\n", "same\n")).toEqual({ added: 0, removed: 0, hunks: [] });
  });

  it("stays correct where it gives up being short", () => {
    const numbers = (from: number) => Array.from({ length: 3_000 }, (_, at) => `${from + at}\n`).join("");
    const [before, after] = [`head\n${numbers(0)}tail\n`, `head\n${numbers(10_000)}tail\n`];
    const diff = diffTexts(before, after);
    expect(diff).toMatchObject({ added: 3_000, removed: 3_000 });
    expect(applyHunks(before, diff.hunks)).toBe(after);
  });
});
