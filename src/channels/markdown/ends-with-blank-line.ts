/** Two line breaks in the white space at the end. */
export function endsWithBlankLine(text: string): boolean {
  const end = text.slice(text.trimEnd().length);
  return end.indexOf("\n") !== end.lastIndexOf("\n");
}
