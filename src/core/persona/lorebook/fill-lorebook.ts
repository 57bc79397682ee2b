import type { Language } from "../../conversation.ts";
import { fillPlaceholders, otherPerson } from "../cards/fill-placeholders.ts";
import type { LoreEntry, LoreKey, Lorebook } from "./lorebook.ts";
import { createWordKey } from "./read-key.ts";
import { roll } from "./roll.ts";

/** The persona that a book belongs to, as far as its names go. */
interface Named {
  readonly name: Readonly<Record<Language, string>>;
  readonly languages: readonly Language[];
}

/** Characters that all filled keys and contents of a book may have together. What is beyond is left out. */
const maxFilled = 1_000_000;
const maxKeyLength = 300;
const maxNameLength = 100;

/**
 * Fills {{char}}, {{user}} and the other placeholders of cards in contents and keys; comments go. {{random}} falls the same way
 * in one entry each time. Expressions stay as they are.
 */
export function fillLorebook(book: Lorebook, { languages, name }: Named): Lorebook {
  const [language = "en"] = languages;
  const names = { char: name[language].slice(0, maxNameLength), user: otherPerson[language] };
  let left = maxFilled;
  const fill = (text: string, entry: LoreEntry): string => {
    if (!text.includes("{{") && !text.includes("<")) return text;
    if (left < 0) return "";
    let rolls = 0;
    const random = (): number => roll(`${entry.number} ${(rolls += 1)}`);
    const filled = fillPlaceholders(text, { ...names, random }).trim();
    left -= filled.length;
    return left < 0 ? "" : filled;
  };
  const fillEntry = (entry: LoreEntry): LoreEntry => {
    const fillKeys = (keys: readonly LoreKey[]): readonly LoreKey[] =>
      keys.flatMap((key) => {
        if (key.test) return [key];
        const text = fill(key.text, entry);
        if (text === "" || text.length > maxKeyLength) return [];
        return text === key.text ? [key] : [createWordKey({ ...key, text })];
      });
    return {
      ...entry,
      keys: fillKeys(entry.keys),
      secondaryKeys: fillKeys(entry.secondaryKeys),
      additionalKeys: entry.additionalKeys.map(fillKeys),
      excludeKeys: fillKeys(entry.excludeKeys),
      content: fill(entry.content, entry),
    };
  };
  const fillEntries = (entries: readonly LoreEntry[]): readonly LoreEntry[] =>
    entries.map(fillEntry).filter(({ content }) => content !== "");
  return { ...book, entries: fillEntries(book.entries), disabled: fillEntries(book.disabled) };
}
