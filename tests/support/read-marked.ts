/** What marked lines say: the lines joined as their marks tell, and `⟨U+…⟩` as the character it stands for. */
export function readMarked(shown: string): string {
  const joined = shown
    .split("\n")
    .map((line, index) => {
      if (line.startsWith("│")) return `${index === 0 ? "" : "\n"}${line.slice(2)}`;
      if (line.startsWith("┆")) return line.slice(2);
      throw new Error(`a line of a payload has no mark: ${JSON.stringify(line)}`);
    })
    .join("");
  return joined.replaceAll(/⟨U\+([0-9A-F]+)⟩/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
