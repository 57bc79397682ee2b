import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface LabelledUtterance {
  /** Empty = no skill is needed. */
  readonly skills: readonly string[];
  readonly text: string;
  /** By a hash of the text, so that nobody chose; others = written by people who had seen no rule, and never tuned to. */
  readonly half: "train" | "unseen" | "others";
}

/** tests/skills/utterances.tsv and utterances-by-others.tsv: labels, a tab, what somebody writes. */
export function readUtterances(): readonly LabelledUtterance[] {
  const own = readLines("utterances.tsv").map(({ skills, text }): LabelledUtterance => {
    const [first = 0] = createHash("sha256").update(text).digest();
    return { skills, text, half: first % 2 === 1 ? "train" : "unseen" };
  });
  const others = readLines("utterances-by-others.tsv").map((one): LabelledUtterance => ({ ...one, half: "others" }));
  return [...own, ...others];
}

function readLines(name: string): readonly Omit<LabelledUtterance, "half">[] {
  return readFileSync(join(import.meta.dirname, "../skills", name), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [labels = "", text = ""] = line.split("\t");
      return { skills: labels === "none" ? [] : labels.split(","), text };
    });
}

interface Measured {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Of the utterances that need no skill, the part that got one. */
  readonly falseActivations: number;
  readonly utterances: number;
}

/** Micro-averaged over all labels. */
export function measureMatches(
  utterances: readonly LabelledUtterance[],
  match: (text: string) => readonly string[],
): Measured {
  const judged = utterances.map(({ skills, text }) => ({ skills, found: match(text) }));
  const count = (of: (one: (typeof judged)[number]) => number) => judged.reduce((sum, one) => sum + of(one), 0);
  const right = count(({ skills, found }) => found.filter((id) => skills.includes(id)).length);
  const found = count((one) => one.found.length);
  const wanted = count(({ skills }) => skills.length);
  const none = judged.filter(({ skills }) => skills.length === 0);
  return {
    precision: right / found,
    recall: right / wanted,
    f1: (2 * right) / (found + wanted),
    falseActivations: none.filter((one) => one.found.length > 0).length / none.length,
    utterances: judged.length,
  };
}
