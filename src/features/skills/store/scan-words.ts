import { readFileSync } from "node:fs";
import { isForeign, type Skill } from "../loader/types.ts";
import { containsWord, listWords } from "../matching/find-skills.ts";
import { normalizeUtterance } from "../../../core/learning/normalize-utterance.ts";
import { readSentenceTable } from "../matching/sentence-table.ts";
import type { Finding } from "./scan-files.ts";

/** A subject has its own words; words in more of what people write are there to be used always. */
const maxCaught = 0.05;
/** Every subject is talked about now and then. */
const minCaught = 0.01;
const maxShown = 8;

/**
 * The part of everyday sentences that a skill's words would call it for. Its own sentences need no such count: learning allows
 * them half a percent of the same table.
 */
export function scanWords(skill: Skill, path: string, table: string): readonly Finding[] {
  const sentences = readSentenceTable(readFileSync(table, "utf8"));
  const caught = new Set<number>();
  const words = listWords(isForeign(skill) ? skill : { ...skill, installed: { digest: "", source: "" } });
  const counts = sentences.flatMap(({ text, skills }, at) => {
    const read = normalizeUtterance(text);
    // A topic counts in a message that asks for something.
    const found = words.filter(
      ({ kind, word }) => (kind === "keyword" || skills.length > 0) && containsWord(read, word),
    );
    if (found.length > 0) caught.add(at);
    return found.map(({ word }) => word);
  });
  if (caught.size < sentences.length * minCaught) return [];
  const tally = new Map<string, number>();
  for (const word of counts) tally.set(word, (tally.get(word) ?? 0) + 1);
  const commonest = [...tally].sort(([, one], [, other]) => other - one).slice(0, maxShown);
  const percent = ((100 * caught.size) / sentences.length).toFixed(1);
  return [
    {
      path,
      line: 0,
      what: `its words call for it in ${caught.size} of ${sentences.length} everyday sentences (${percent} %)`,
      shown: commonest
        .map(([word, count]) => `${word} ${count}`)
        .join(", ")
        .slice(0, 160),
      blocks: caught.size >= sentences.length * maxCaught,
    },
  ];
}
