import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { longestSentence, mostSentences } from "./types.ts";

const largestFile = 256 * 1024;

/**
 * The lines of examples.txt in a skill's folder: what people write when they need it. `#` begins a comment. A link is not
 * followed, since the folder may be somebody else's; a file that cannot be read or is too large counts as none.
 */
export function readSentences(folder: string): readonly string[] {
  const file = join(folder, "examples.txt");
  try {
    const found = lstatSync(file);
    if (!found.isFile() || found.size > largestFile) return [];
    return readFileSync(file, "utf8")
      .split("\n")
      .map((line) => line.trim().slice(0, longestSentence))
      .filter((line) => line !== "" && !line.startsWith("#"))
      .slice(0, mostSentences);
  } catch {
    return [];
  }
}
