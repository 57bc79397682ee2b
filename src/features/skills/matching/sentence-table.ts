import type { LabelledText } from "../../../core/learning/learn-labels.ts";

/** The column of sentences that need no skill. */
export const noSkill = "none";

/** A sentence and the skills that it calls for; none = it needs no skill. */
export interface LabelledSentence {
  readonly skills: readonly string[];
  readonly text: string;
  /** Sentences written at one time resemble each other. */
  readonly batch: number;
}

/** Reads the lines of sentences.tsv: labels, a tab, a sentence. `#` begins a comment, a blank line a new batch. */
export function readSentenceTable(table: string): readonly LabelledSentence[] {
  let batch = 0;
  return table.split("\n").flatMap((line) => {
    if (line.trim() === "") batch += 1;
    const [labels = "", text = ""] = line.split("\t");
    if (text === "" || line.startsWith("#")) return [];
    return [{ skills: labels === "none" ? [] : labels.split(","), text, batch }];
  });
}

/** The table in the form to be learnt: sentences that need no skill have a separate label. */
export function labelSentences(sentences: readonly LabelledSentence[]): readonly LabelledText[] {
  return sentences.map(({ skills: [first = noSkill, ...more], text }) => ({ labels: [first, ...more], text }));
}
