const closers: Readonly<Record<string, string>> = { "「": "」", "『": "』", "“": "”", "《": "》" };
const fence = "```";

/** Removes quotations, fenced blocks, and lines that begin with >. */
export function dropQuotations(text: string): string {
  const lines: string[] = [];
  let isFenced = false;
  for (const line of text.split("\n")) {
    const start = line.trimStart();
    if (start.startsWith(fence)) isFenced = !isFenced;
    else if (!isFenced && !start.startsWith(">")) lines.push(dropMarked(line));
  }
  return lines.join("\n");
}

function dropMarked(line: string): string {
  let own = "";
  let quoted = "";
  let closer = "";
  for (const character of line) {
    if (closer === "" && closers[character] !== undefined) {
      closer = closers[character];
      quoted = character;
    } else if (closer === "") own += character;
    else if (character === closer) {
      own += " ";
      closer = "";
    } else quoted += character;
  }
  // A mark that nothing closes opens no quotation.
  return closer === "" ? own : own + quoted;
}
