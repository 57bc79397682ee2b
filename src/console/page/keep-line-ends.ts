/** A text field drops carriage returns and a byte order mark; saving restores them from the stored text. */

const mark = "\uFEFF";

/** The text as a field shows it. */
export function toField(stored: string): string {
  return stored.replace(mark, "").replace(/\r\n?/g, "\n");
}

/** The text of the field as a file: each line that is as it was keeps its end, new ones get that of the first line. */
export function fromField(field: string, stored: string): string {
  const before = splitLines(stored.replace(mark, ""));
  const now = splitLines(field);
  const usual = before.find(({ end }) => end !== "")?.end ?? "\n";
  const isSame = (line: Line | undefined, other: Line | undefined): boolean =>
    line !== undefined && other !== undefined && line.text === other.text && (line.end === "") === (other.end === "");
  let head = 0;
  while (isSame(before[head], now[head])) head += 1;
  let tail = 0;
  const rest = Math.min(before.length, now.length) - head;
  while (tail < rest && isSame(before.at(-1 - tail), now.at(-1 - tail))) tail += 1;
  const lines = now.map((line, index) => {
    if (index < head) return before[index] ?? line;
    if (index >= now.length - tail) return before[before.length - now.length + index] ?? line;
    return line.end === "" ? line : { ...line, end: usual };
  });
  return (stored.startsWith(mark) ? mark : "") + lines.map(({ end, text }) => text + end).join("");
}

interface Line {
  readonly text: string;
  readonly end: string;
}

function splitLines(text: string): readonly Line[] {
  return [...text.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g)].map(([, line = "", end = ""]) => ({ text: line, end }));
}
