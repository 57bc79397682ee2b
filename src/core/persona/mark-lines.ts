/** Before each line that another person wrote, and before its continuation lines: our lines never begin like these. */
export const lineMarks = { begins: "│ ", goesOn: "┆ " } as const;

const tabColumns = 8;
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** Marks every line, and breaks those that are wider, so that no screen begins a line of its own within them. */
export function markLines(text: string, columns: number): string {
  const marked = text
    .split("\n")
    .map((line) => `${lineMarks.begins}${breakLine(line, columns).join(`\n${lineMarks.goesOn}`)}`)
    .join("\n");
  return keepEndSpace(marked);
}

/** Platforms cut white space off at the end of a message: an empty continuation of the last line keeps it. */
export function keepEndSpace(marked: string): string {
  const last = marked.slice(marked.lastIndexOf("\n") + 1);
  const words = last.slice(lineMarks.begins.length);
  return isMarked(last) && words !== words.trimEnd() ? `${marked}\n${lineMarks.goesOn}` : marked;
}

/** The same lines for a narrower screen. */
export function narrowLines(marked: string, columns: number): string {
  return marked
    .split("\n")
    .map((line) => line.slice(0, 2) + breakLine(line.slice(2), columns).join(`\n${lineMarks.goesOn}`))
    .join("\n");
}

/** Every line has a mark in front; on an empty last line the space may be cut off. */
export function isMarked(block: string): boolean {
  const marks = Object.values(lineMarks);
  return block.split("\n").every((line) => marks.some((mark) => line.startsWith(mark) || line === mark.trimEnd()));
}

/** Columns of a screen that a line takes. */
export function countColumns(line: string): number {
  return Array.from(line).reduce((sum, character) => sum + columnsOf(character), 0);
}

function columnsOf(character: string): number {
  return character === "\t" ? tabColumns : wide.test(character) ? 2 : 1;
}

function breakLine(line: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let at = 0;
  let width = 0;
  for (const character of line) {
    const added = columnsOf(character);
    if (width + added > columns && at > start) {
      pieces.push(line.slice(start, at));
      start = at;
      width = 0;
    }
    width += added;
    at += character.length;
  }
  return [...pieces, line.slice(start)];
}
