import type { PatternWords } from "./expand-pattern.ts";

/** How far apart two words of a pair may stand, in characters of one clause. */
const reach = "[^,。!?;\\n]{0,30}";

/**
 * The pattern of a pair: a word of the one list and a word of the other in one clause, in whichever order. Latin words stand
 * alone. undefined = a list is not there.
 */
export function writePair([one, other]: readonly [string, string], words: PatternWords): string | undefined {
  const [first, second] = [words[one], words[other]];
  if (!first || !second) return undefined;
  const [a, b] = [writeList(first), writeList(second)];
  return `${a}${reach}${b}|${b}${reach}${a}`;
}

function writeList(list: readonly string[]): string {
  return `(?:${list.map(standAlone).join("|")})`;
}

function standAlone(word: string): string {
  const before = /^[a-z]/.test(word) ? "(?<![a-z0-9])" : "";
  const after = /[a-z]$/.test(word) && !/\\[a-z]$/.test(word) ? "(?![a-z0-9])" : "";
  return `${before}${word}${after}`;
}
