import { describe, expect, it, test } from "vitest";
import { listFilesOf, listTestFiles, readTier, runsOnBothDatabases } from "../support/tiers.ts";

/** What only the full tier may need, by what a test file that needs it imports or calls. */
const needs: Readonly<Record<string, RegExp>> = {
  "a container engine": /\b(?:dockerIsThere|requireDocker|runnerIsThere|startPrivateEngine)\(/,
  "a second start of the program":
    /\b(?:spawnKurisu|startKurisu|runOnce|start(?:Telegram|OneBot|QqBot|Api|Editor)Story)\(/,
  "a second database": /\b(?:postgresIsThere|createTestDatabase|createDatabaseUntil|startPostgresServer)\(/,
  "a browser": /\bfindBrowser\(/,
  "a terminal": /\bterminalIsThere\(/,
};

describe("the tier of a test file", () => {
  it.each([
    ["tests/core/a.test.ts", "", "quick"],
    ["tests/stories/a.test.ts", "", "full"],
    ["tests/faults/deep/a.test.ts", "", "full"],
    ["tests/stories/a.test.ts", "// quick: the story of the terminal\n", "quick"],
    ["tests/core/a.test.ts", "// full: starts the program\n", "full"],
    ["tests/core/a.test.ts", "// full:\n", "quick"],
    ["tests/core/a.test.ts", "\n// full: not the first line\n", "quick"],
  ] as const)("%s with %j is %s", (path, text, tier) => {
    expect(readTier(path, text)).toBe(tier);
  });

  it.for(Object.entries(needs))(
    "the tier is full, or the file says why it is quick, where a test needs %s",
    ([, need]) => {
      const unmarked = listTestFiles().filter(
        ({ text, tier }) => tier === "quick" && !text.startsWith("// quick: ") && need.test(text),
      );
      expect(unmarked.map(({ path }) => path).filter((path) => path !== "tests/scripts/test-tiers.test.ts")).toEqual(
        [],
      );
    },
  );
});

test("the two parts of the tests are all of them, and only files with a second database are in both", () => {
  const [quick, rest, all] = (["quick", "rest", "all"] as const).map(listFilesOf) as [string[], string[], string[]];
  expect(new Set([...quick, ...rest])).toEqual(new Set(all));
  const both = listTestFiles()
    .filter(runsOnBothDatabases)
    .map(({ path }) => path);
  expect(quick.filter((path) => rest.includes(path)).every((path) => both.includes(path))).toBe(true);
  expect(quick.filter((path) => path.startsWith("tests/stories/")).length).toBeGreaterThanOrEqual(4);
});
