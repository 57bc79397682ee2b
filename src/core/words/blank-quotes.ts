const closings: Readonly<Record<string, string>> = { "「": "」", "『": "』", "“": "”", '"': '"' };

/** The text with a space in the place of each quotation. An opening mark that nothing closes is an ordinary character. */
export function blankQuotes(text: string): string {
  const unclosed = new Set<string>();
  let result = "";
  let position = 0;
  for (const { 0: mark, index } of text.matchAll(/[「『“"]/g)) {
    const closing = closings[mark];
    if (index < position || closing === undefined || unclosed.has(closing)) continue;
    const end = text.indexOf(closing, index + 1);
    if (end < 0) {
      unclosed.add(closing);
      continue;
    }
    result += `${text.slice(position, index)} `;
    position = end + 1;
  }
  return result + text.slice(position);
}
