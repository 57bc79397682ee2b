/** Does what `patch` does, strictly: every line of a hunk must stand where the hunk says. */
export function applyHunks(before: string, hunks: readonly string[]): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const made: string[] = [];
  let read = 0;
  for (const hunk of hunks) {
    const [head = "", ...body] = hunk.match(/[^\n]*\n/g) ?? [];
    const [, start, count, newStart, newCount] = (/^@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n$/.exec(head) ?? []).map(Number);
    if (start === undefined || count === undefined || newStart === undefined) throw new Error(`no hunk: ${head}`);
    const from = count === 0 ? start : start - 1;
    made.push(...old.slice(read, from));
    if (made.length !== (newCount === 0 ? newStart : newStart - 1)) throw new Error(`the new side is off: ${head}`);
    read = from;
    for (const [at, line] of body.entries()) {
      if (line.startsWith("\\")) continue;
      const content = body[at + 1]?.startsWith("\\") ? line.slice(1, -1) : line.slice(1);
      if (!line.startsWith("+")) {
        if (old[read] !== content) throw new Error(`line ${read + 1} is not ${JSON.stringify(content)}`);
        read += 1;
      }
      if (!line.startsWith("-")) made.push(content);
    }
    if (read !== from + count) throw new Error(`the old side is off: ${head}`);
  }
  return [...made, ...old.slice(read)].join("");
}
