import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLineFold, maxLines } from "../../src/cli/terminal/fold-lines.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const linesOf = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}`).join("\n");

test("short lines go by as they are; of more the beginning is shown, and the whole is in a file for its owner", async () => {
  const folder = join(await createTemporaryFolder(), "folded");
  const fold = createLineFold(folder);
  const short = linesOf(maxLines);
  expect(fold.push(short)).toBe(short);
  expect(fold.end(short)).toBeUndefined();

  const long = linesOf(maxLines + 30);
  // Piece by piece, as a reply comes.
  const shown = Array.from({ length: Math.ceil(long.length / 7) }, (_, index) =>
    fold.push(long.slice(index * 7, index * 7 + 7)),
  ).join("");
  expect(shown).toBe(`${linesOf(maxLines)}\n`);
  const folded = fold.end(long);
  expect(folded?.left).toBe(30);
  expect(readFileSync(folded?.path ?? "", "utf8")).toBe(`${long}\n`);
  expect(statSync(folded?.path ?? "").mode & 0o777).toBe(0o600);
  // Fences are rendered away: what was shown counts.
  fold.push(`${long}\n`);
  expect(fold.end(`\`\`\`\n${long}\n\`\`\``)?.left).toBe(30);
  expect(fold.push(short), "the next one begins anew").toBe(short);
});
