import { compileLinearPattern } from "../../linear-pattern.ts";
import type { LoreKey } from "./lorebook.ts";

/** Room for keys that a book has left; below 0 = it has used more than there is. */
export interface KeyRoom {
  keys: number;
  characters: number;
  patterns: number;
}

/** An entry's own keys beyond this number are dropped, and so are longer keys. */
const maxKeys = 100;
const maxKeyLength = 300;

interface KeyStyle extends Pick<LoreKey, "caseSensitive" | "wholeWord"> {
  /** Keys without slashes are expressions, too. */
  readonly usesPatterns: boolean;
}

export function readKeys(listed: readonly string[], style: KeyStyle, room: KeyRoom): readonly LoreKey[] {
  return listed.slice(0, maxKeys).flatMap((key) => readKey(key.trim(), style, room) ?? []);
}

/** Expressions are written as /…/flags. One that cannot be compiled matches nothing. */
function readKey(
  given: string,
  { caseSensitive, usesPatterns, wholeWord }: KeyStyle,
  room: KeyRoom,
): LoreKey | undefined {
  if (given === "" || given.length > maxKeyLength) return undefined;
  room.keys -= 1;
  room.characters -= given.length;
  if (room.keys < 0 || room.characters < 0) return undefined;
  const [, slashed, flags = ""] = /^\/(.+)\/([a-z]{0,8})$/s.exec(given) ?? [];
  const source = slashed ?? (usesPatterns ? given : undefined);
  if (source === undefined) return createWordKey({ text: given, caseSensitive, wholeWord });
  room.patterns -= 1;
  if (room.patterns < 0) return undefined;
  const compiled = compileLinearPattern(
    `${writeFlags(slashed === undefined, caseSensitive, flags)}${source.replaceAll("\\/", "/")}`,
  );
  if (compiled.kind !== "pattern") return undefined;
  return { text: given, caseSensitive: false, wholeWord: false, test: compiled.pattern.test };
}

/** Words of Chinese and Japanese are never whole, for want of spaces. */
export function createWordKey({ caseSensitive, text, wholeWord }: Omit<LoreKey, "test">): LoreKey {
  return { text, caseSensitive, wholeWord: wholeWord && !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) };
}

/** As JavaScript has it: only `i` makes case count for nothing. Without slashes the entry's own `case_sensitive` decides. */
function writeFlags(isBare: boolean, caseSensitive: boolean, flags: string): string {
  const isExact = isBare ? caseSensitive : !flags.includes("i");
  const others = ["m", "s"].filter((flag) => flags.includes(flag)).join("");
  const written = `${others}${isExact ? "-i" : ""}`;
  return written === "" ? "" : `(?${written})`;
}
