import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { maxSentenceLength, maxSentences } from "./types.ts";

const maxFileSize = 256 * 1024;
/** Limit for all sentences of a skill together: learning takes time and memory for each. */
const maxCharacters = 20_000;

/**
 * Reads the sentences that call for a skill: those of its own file, then the lines of examples.txt. Long ones are cut,
 * and at most as many are read as can be learnt. `leftOut` describes the rest; undefined = nothing is missing.
 */
export function collectSentences(
  folder: string,
  written: readonly string[] = [],
): { readonly sentences: readonly string[]; readonly leftOut: string | undefined } {
  const beside = readLines(folder);
  const all = [...new Set([...written, ...beside.lines].map((one) => one.trim().slice(0, maxSentenceLength)))].filter(
    (one) => one !== "",
  );
  let characters = 0;
  const sentences = all.slice(0, maxSentences).filter(({ length }) => (characters += length) <= maxCharacters);
  const limits = `${maxSentences} sentences and ${maxCharacters.toLocaleString("en")} characters at most`;
  const lost = all.length - sentences.length;
  const problem = lost > 0 ? `${lost} of ${all.length} sentences are left out: ${limits}` : undefined;
  return { sentences, leftOut: beside.problem ?? problem };
}

/** `#` begins a comment. Links are not followed, since the folder may belong to another user. */
function readLines(folder: string): { readonly lines: readonly string[]; readonly problem?: string } {
  const file = join(folder, "examples.txt");
  try {
    const found = lstatSync(file);
    if (!found.isFile()) return { lines: [], problem: "examples.txt is left out: it is no file" };
    if (found.size > maxFileSize) return { lines: [], problem: "examples.txt is left out: it is larger than 256 KiB" };
    const lines = readFileSync(file, "utf8").split("\n");
    return { lines: lines.map((line) => line.trim()).filter((line) => !line.startsWith("#")) };
  } catch {
    // Most skills have none.
    return { lines: [] };
  }
}
