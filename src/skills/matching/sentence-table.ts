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
