/** Pieces of regular expressions that the rules share. */

/** Something in quotes; `unquote` takes them off. */
export const quoted = "(?:「[^」]*」|『[^』]*』|“[^”]*”|‘[^’]*’|\"[^\"]*\"|'[^']*'|`[^`]*`)";

/** A file path with an extension, bare or in quotes. Chinese file names are fine; spaces only in quotes. */
export const filePath =
  "(?:[「『“\"'`][^「」『』“”\"'`\\n]+\\.[A-Za-z0-9]{1,8}[」』”\"'`]|[^\\s，。；！？、：,;:!?「」『』“”\"'`]+?\\.[A-Za-z0-9]{1,8}(?![A-Za-z0-9_]|\\.[A-Za-z0-9]))";

export function unquote(text: string): string {
  const trimmed = text.trim();
  return new RegExp(`^${quoted}$`).test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}

const negation =
  /(?:不要|不许|不准|不能|不用|不必|不想|先不|先别|别|勿|禁止|do not|don'?t|don’t|never|without|not to)\s*(?:再|去|给我|帮我|现在|ever|just)?\s*$/i;

/** The words right before a verb take it back: 「别运行 …」, "don't run …". */
export function isNegated(text: string, at: number): boolean {
  return negation.test(text.slice(0, at));
}
