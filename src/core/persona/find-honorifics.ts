import { toPlainText } from "./plain-text.ts";

/** Finds forms of address that a persona does not use; a Latin word only as a whole word. */
export function createHonorificFinder(words: readonly string[]): (plain: string) => boolean {
  const known = words.map((word) => toPlainText(word)).filter((word) => word !== "");
  return (plain) => known.some((word) => (isLatin(word) ? holdsWord(plain, word) : plain.includes(word)));
}

function isLatin(word: string): boolean {
  return /^[\p{sc=Latin}' .-]+$/u.test(word);
}

function holdsWord(plain: string, word: string): boolean {
  for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1)) {
    if (!isLetter(plain[at - 1]) && !isLetter(plain[at + word.length])) return true;
  }
  return false;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
