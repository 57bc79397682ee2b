import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const rows = readFileSync(join(root, "docs/advisories.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| id |"));

function listTests(row: string): { readonly path: string; readonly title: string }[] {
  return [...row.matchAll(/`(tests\/[\w./-]+\.test\.ts)` › "((?:[^"\\]|\\.)+)"/g)].map(([, path = "", title = ""]) => ({
    path,
    title,
  }));
}

/** As a test's or a group's title, or as a promise of the architecture's. */
function holdsTitle(text: string, title: string): boolean {
  const quoted = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?:\(\s*|promise: )(["'${"`"}])${quoted}\1`).test(text);
}

it("every published advisory of the table names tests that exist under exactly that title", () => {
  expect(rows.length).toBeGreaterThan(40);
  const missing = rows.filter((row) => listTests(row).length === 0);
  expect(missing).toEqual([]);
  const broken = rows
    .flatMap((row) => listTests(row))
    .filter(({ path, title }) => {
      const file = join(root, path);
      return !existsSync(file) || !holdsTitle(readFileSync(file, "utf8"), title);
    });
  expect(broken).toEqual([]);
});

it("no row is cut short: each has an id, what happened, what happens here and a test", () => {
  expect(rows.filter((row) => row.split(" | ").length !== 4)).toEqual([]);
});
