import { estimateTokens } from "../../estimate-tokens.ts";
import { createKeyFinder, foldCase, type KeyFinder } from "./key-finder.ts";
import type { LoreEntry, LoreKey, Lorebook } from "./lorebook.ts";

/** An entry whose keys are numbers of the finder, list by list. */
export interface IndexedEntry {
  readonly entry: LoreEntry;
  /** Its place among the entries. */
  readonly number: number;
  readonly tokens: number;
  readonly keys: readonly number[];
  readonly secondary: readonly number[];
  readonly additional: readonly (readonly number[])[];
  readonly excluded: readonly number[];
}

interface LoreIndex {
  readonly entries: readonly IndexedEntry[];
  readonly finder: KeyFinder;
}

/** Entries with the same key share its number, so that a book of thousands stays small. */
export function indexEntries(book: Lorebook): LoreIndex {
  const all: LoreKey[] = [];
  const numbers = new Map<string, number>();
  const number = (key: LoreKey): number => {
    const isExact = key.caseSensitive || key.test !== undefined;
    const name = `${key.caseSensitive} ${key.wholeWord} ${key.test !== undefined} ${isExact ? key.text : foldCase(key.text)}`;
    const known = numbers.get(name) ?? all.push(key) - 1;
    numbers.set(name, known);
    return known;
  };
  const entries = book.entries.map((entry, at) => ({
    entry,
    number: at,
    tokens: estimateTokens(entry.content),
    keys: entry.keys.map(number),
    secondary: entry.secondaryKeys.map(number),
    additional: entry.additionalKeys.map((list) => list.map(number)),
    excluded: entry.excludeKeys.map(number),
  }));
  return { entries, finder: createKeyFinder(all) };
}

/** Whether the keys of an entry call it, by the keys that are there. */
export function fitsKeys(one: IndexedEntry, has: (key: number) => boolean): boolean {
  const { additional, entry, excluded, keys, secondary } = one;
  if (!keys.some(has) || excluded.some(has) || !additional.every((list) => list.some(has))) return false;
  if (secondary.length === 0) return true;
  switch (entry.logic) {
    case "any":
      return secondary.some(has);
    case "all":
      return secondary.every(has);
    case "not-any":
      return !secondary.some(has);
    case "not-all":
      return !secondary.every(has);
  }
}
