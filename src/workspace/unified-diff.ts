import { diffLines, type LineStep } from "./diff-lines.ts";

/** The change of one text. */
export interface TextDiff {
  readonly added: number;
  readonly removed: number;
  /** Hunks as `diff -u` writes them, each with its `@@` line; the two lines that name the files are not part of it. */
  readonly hunks: readonly string[];
}

const context = 3;

/** The difference of two texts, line by line. Lines end at "\n" alone; "\r" is part of a line. */
export function diffTexts(before: string, after: string): TextDiff {
  const [old, fresh] = [splitLines(before), splitLines(after)];
  const steps = diffLines(old, fresh);
  const added = steps.filter((step) => step.kind === "add").length;
  const removed = steps.filter((step) => step.kind === "remove").length;
  return { added, removed, hunks: findHunks(steps).map((hunk) => writeHunk(hunk, old, fresh)) };
}

/** Lines keep their "\n", so that a last line without one differs from the same line with one. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A hunk's steps, and how many lines precede it on either side. */
interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly steps: readonly LineStep[];
}

/** Changes with three equal lines around them; what is closer together than six lines is one hunk. */
function findHunks(steps: readonly LineStep[]): Hunk[] {
  const changes = steps.flatMap((step, at) => (step.kind === "keep" ? [] : [at]));
  const spans: [number, number][] = [];
  for (const change of changes) {
    const last = spans.at(-1);
    const [from, to] = [Math.max(0, change - context), Math.min(steps.length, change + context + 1)];
    if (last !== undefined && from <= last[1]) last[1] = to;
    else spans.push([from, to]);
  }
  const counted = { at: 0, old: 0, new: 0 };
  return spans.map(([from, to]) => {
    for (; counted.at < from; counted.at += 1) {
      if (steps[counted.at]?.kind !== "add") counted.old += 1;
      if (steps[counted.at]?.kind !== "remove") counted.new += 1;
    }
    return { oldStart: counted.old, newStart: counted.new, steps: steps.slice(from, to) };
  });
}

function writeHunk({ oldStart, newStart, steps }: Hunk, old: readonly string[], fresh: readonly string[]): string {
  const oldCount = steps.filter((step) => step.kind !== "add").length;
  const newCount = steps.filter((step) => step.kind !== "remove").length;
  // An empty side is named by the line before it.
  const range = (start: number, count: number) => `${count === 0 ? start : start + 1},${count}`;
  const lines = steps.map((step) => {
    const line = (step.kind === "add" ? fresh[step.new] : old[step.old]) ?? "";
    const mark = { keep: " ", remove: "-", add: "+" }[step.kind];
    return `${mark}${line}${line.endsWith("\n") ? "" : "\n\\ No newline at end of file\n"}`;
  });
  return `@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@\n${lines.join("")}`;
}
