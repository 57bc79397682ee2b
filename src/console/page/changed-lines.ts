/** The lines of a text, counted from 1, that the stored one does not have at that place. */
export function listChangedLines(stored: string, text: string): readonly number[] {
  const before = stored.split("\n");
  const now = text.split("\n");
  let head = 0;
  while (head < now.length && before[head] === now[head]) head += 1;
  let tail = 0;
  const rest = Math.min(before.length, now.length) - head;
  while (tail < rest && before.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const known = new Set(before.slice(head, before.length - tail));
  return now.slice(head, now.length - tail).flatMap((line, index) => (known.has(line) ? [] : [head + index + 1]));
}
