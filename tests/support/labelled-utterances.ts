import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSentenceTable, type LabelledSentence } from "../../src/features/skills/matching/sentence-table.ts";

/** Sentences that nothing is learnt from: by people who had seen no rule, written blind, and of tests for former matchers. */
export type UtteranceSet = "by-others" | "written-blind" | "plain";

/** tests/features/skills/utterances-<set>.tsv, in the form of config/skills/sentences.tsv. */
export function readUtterances(set: UtteranceSet): readonly LabelledSentence[] {
  return readSentenceTable(readFileSync(join(import.meta.dirname, `../features/skills/utterances-${set}.tsv`), "utf8"));
}

export interface Measured {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Of the utterances that need no skill, the part that got one. */
  readonly falseActivations: number;
  readonly utterances: number;
}

/** Micro-averaged over all labels. */
export function measureMatches(
  utterances: readonly LabelledSentence[],
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
