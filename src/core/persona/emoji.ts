/** Emoji as decoration: faces, hearts, sparkles. Signs that say something (→ ✓ © ℃ ☀ in a forecast) are text. */

const everyDecoration =
  / ?[\u{1F389}\u{1F38A}\u{1F31F}\u{1F338}\u{1F44B}-\u{1F44F}\u{1F493}-\u{1F49F}\u{1F4A1}\u{1F4AA}\u{1F525}\u{1F600}-\u{1F64F}\u{1F680}\u{1F90D}-\u{1F90F}\u{1F910}-\u{1F92F}\u{1F970}-\u{1F97A}\u2728\u2763\u2764](?:\uFE0F|\p{Emoji_Modifier})*/gu;

/** An emoji next to words; a lone emoji is an answer. */
export function holdsEmoji(text: string): boolean {
  return text.search(everyDecoration) >= 0 && /\p{L}/u.test(text);
}

/** The text without them; the space before each goes, too. */
export function withoutEmoji(text: string): string {
  return text.replace(everyDecoration, "");
}
