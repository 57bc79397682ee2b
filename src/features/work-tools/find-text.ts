/** Finds the offset of each occurrence; those that overlap an earlier one do not count. */
export function findText(text: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
}

/** Lines are counted from 1, as people and grep do. */
export function lineOf(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", end + 1)) line += 1;
  return line;
}

/** Lines that are compared: where all lines are alike, every place is nearly the one. */
const maxCompared = 1_000_000;

export interface NearMatch {
  readonly line: number;
  /** The lines of the text itself. */
  readonly text: string;
}

/** The place that differs from what is wanted in nothing but spaces, or else the first line that holds its first line. */
export function findNearMatch(text: string, wanted: string): NearMatch | undefined {
  const lines = text.split("\n");
  const bare = lines.map(withoutSpaces);
  const asked = wanted.split("\n").map(withoutSpaces);
  while (asked.at(-1) === "") asked.pop();
  while (asked[0] === "") asked.shift();
  const first = asked[0];
  if (first === undefined) return undefined;
  let left = maxCompared;
  const isThere = (from: number): boolean =>
    asked.every((line, offset) => (left -= 1) > 0 && bare[from + offset] === line);
  const same = bare.findIndex((line, at) => line === first && isThere(at));
  const at = same >= 0 ? same : bare.findIndex((line) => line === first || (first.length >= 8 && line.includes(first)));
  if (at < 0) return undefined;
  return { line: at + 1, text: lines.slice(at, at + (same >= 0 ? asked.length : 1)).join("\n") };
}

const withoutSpaces = (line: string): string => line.replaceAll(/\s+/g, "");
