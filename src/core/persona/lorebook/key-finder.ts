import { createKeyTrie, type KeyTrie } from "./key-trie.ts";
import type { LoreKey } from "./lorebook.ts";

/** Finds which of many keys are in a text, in one pass over it. */
export interface KeyFinder {
  /** Number of keys. */
  readonly size: number;
  /** Numbers of the keys, in the order they were given. */
  find(text: string): ReadonlySet<number>;
}

/** Keys that heed case are looked for in the text itself, the others in the folded text, so a hit needs no comparison. */
export function createKeyFinder(keys: readonly LoreKey[]): KeyFinder {
  const numbers = [...keys.keys()];
  const words = numbers.filter((number) => !keys[number]?.test);
  const patterns = numbers.filter((number) => keys[number]?.test);
  const isExact = (number: number): boolean => keys[number]?.caseSensitive ?? false;
  const textOf = (number: number): string => keys[number]?.text ?? "";
  const exact = createKeyTrie(words.filter(isExact).map((number) => ({ text: textOf(number), number })));
  const folded = createKeyTrie(
    words.filter((number) => !isExact(number)).map((number) => ({ text: foldCase(textOf(number)), number })),
  );

  return {
    size: keys.length,
    find(text) {
      const found = new Set<number>();
      search(exact, text, keys, found);
      search(folded, foldCase(text), keys, found);
      for (const number of patterns) if (keys[number]?.test?.(text)) found.add(number);
      return found;
    },
  };
}

/** Small letters. "İ" is the only letter whose small form is longer, and "ς" the only one that depends on its neighbours. */
export function foldCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}

/** A key of whole words has no letter on either side of it. */
function search(trie: KeyTrie, text: string, keys: readonly LoreKey[], found: Set<number>): void {
  trie.visit(text, (number, end) => {
    const key = keys[number];
    if (!key || found.has(number)) return;
    if (key.wholeWord && (isLetter(text, end) || isLetter(text, end - key.text.length - 1))) return;
    found.add(number);
  });
}

const letter = /[\p{L}\p{N}_]/u;
/** By code unit: 1 = no letter, 2 = a letter, 0 = not looked at yet. */
const letters = new Uint8Array(65_536);

function isLetter(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false;
  const code = text.charCodeAt(at);
  letters[code] ||= letter.test(text.charAt(at)) ? 2 : 1;
  return letters[code] === 2;
}
