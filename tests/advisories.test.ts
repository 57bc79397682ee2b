import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { advisoryTests } from "./support/advisory-tests.ts";

const root = join(import.meta.dirname, "..");
const rows = readFileSync(join(root, "docs/advisories.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| id |"))
  .map((line) => line.slice(2, -2).split(" | "));

/** As a test's or a group's title, or as a promise of the architecture's. */
function holdsTitle(text: string, title: string): boolean {
  const quoted = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?:\(\s*|promise: )(["'${"`"}])${quoted}\1`).test(text);
}

it("every published advisory of the table names the files of its tests, and each test has exactly its title", () => {
  expect(rows.length).toBeGreaterThan(40);
  const named = rows.flatMap(([id = "", , , files = ""]) => files.split(", ").map((file) => `${id} ${file}`));
  const covered = advisoryTests.map(([id, path]) => `${id} \`${path}\``);
  expect(named.toSorted()).toEqual([...new Set(covered)].toSorted());
  const broken = advisoryTests.filter(([, path, title]) => {
    const file = join(root, path);
    return !existsSync(file) || !holdsTitle(readFileSync(file, "utf8"), title);
  });
  expect(broken).toEqual([]);
});

it("no row is cut short: each has an id, what happened, what happens here and a test", () => {
  expect(rows.filter((cells) => cells.length !== 4 || cells.includes(""))).toEqual([]);
});
