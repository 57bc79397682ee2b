/** The first sentence of a tool's description, with its full stop. */
export function readFirstSentence(description: string): string {
  const [line = ""] = description.split("\n");
  const end = line.search(/[.!?](?:\s|$)|[。！？]/);
  return end < 0 ? line : line.slice(0, end + 1);
}
