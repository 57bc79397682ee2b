import { toPlainText } from "./plain-text.ts";

/**
 * Finds forms of address. A Latin one counts only as an address: "yes, sir" and "sir, the file", but not "Sir Ronald".
 */
export function createHonorificFinder(words: readonly string[]): (plain: string) => boolean {
  const known = words.map((word) => toPlainText(word)).filter((word) => word !== "");
  const addresses = known.filter(isLatin);
  const holdsOther = createWordFinder(known.filter((word) => !isLatin(word)));
  return (plain) => holdsOther(plain) || addresses.some((word) => isAddressedBy(plain, word));
}

const beforeAddress =
  /(?:^|[,;:.!?]|\b(?:yes|no|thanks|you|welcome|certainly|course|away|understood|morning|evening|hello|hi|sorry))$/;

function isAddressedBy(plain: string, word: string): boolean {
  for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1)) {
    const before = plain.slice(Math.max(0, at - 20), at).trimEnd();
    const isOwnWord = !isLetter(plain[at - 1]);
    const isCalling = /(?:call(?:ing)?|to) you$/.test(before);
    if (
      isOwnWord &&
      !isCalling &&
      beforeAddress.test(before) &&
      /^ ?(?:[,.!?;]|$)/.test(plain.slice(at + word.length, at + word.length + 2))
    )
      return true;
  }
  return false;
}

/** Finds words that a persona does not use: baby talk, pet names. A Latin word is found as a whole word only. */
export function createWordFinder(words: readonly string[]): (plain: string) => boolean {
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
