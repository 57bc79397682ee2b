import * as fc from "fast-check";
import { resolve, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { whyNoPath, whyNoPaths } from "../../../../src/features/skills/store/check-paths.ts";

describe("names of a skill's files", () => {
  test.each([
    "SKILL.md",
    "references/说明.md",
    "scripts/run-1.sh",
    "assets/a b (2).png",
    ".gitignore",
    "a/b/c/d/e/f/g/h",
  ])("takes %j", (path) => expect(whyNoPath(path)).toBeUndefined());

  test.each([
    ["", /empty/],
    ["/etc/passwd", /not relative/],
    ["a\\b", /not relative/],
    ["../x", /leaves its folder/],
    ["a/../../x", /leaves its folder/],
    ["a//b", /leaves its folder/],
    ["./a", /leaves its folder/],
    ["a/.", /leaves its folder/],
    ["C:/x", /not taken/],
    ["~/x", /not taken/],
    ["a/%2e%2e/b", /not taken/],
    ["‥/x", /not taken/],
    ["a\u202Egpj.md", /not taken/],
    ["a\u200Bb", /not taken/],
    ["a\nb", /not taken/],
    ["a ", /not taken/],
    ["a./b", /not taken/],
    ["-rf", /not taken/],
    ["e\u0301.md", /composed/],
    [".git/config", /not taken/],
    ["x/.GIT/hooks/post-checkout", /not taken/],
    [".env", /not taken/],
    ["a/.env.local", /not taken/],
    ["NUL", /not taken/],
    ["a/b/c/d/e/f/g/h/i", /too deep/],
    ["x".repeat(301), /too long/],
  ])("refuses %j", (path, why) => expect(whyNoPath(path)).toMatch(why));

  test.each([
    [["SKILL.md", "skill.md"], /one name/],
    [["straße", "STRASSE"], /one name/],
    [["a/ﬁ.md", "a/fi.md"], /one name/],
    [["a", "a/b"], /one name/],
    [["Scripts/a", "scripts/b"], /one name/],
  ])("refuses %j together", (paths, why) => expect(whyNoPaths(paths)).toMatch(why));

  test("takes a folder with several files", () => {
    expect(whyNoPaths(["a/b", "a/c", "b/a", "SKILL.md"])).toBeUndefined();
  });

  test("nothing it takes leaves the folder it is put into", () => {
    const part = fc.oneof(
      fc.constantFrom("..", ".", "", "a", "．．", "..%2f", "c:"),
      fc.string({ unit: "binary", maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), fc.constantFrom("/", "\\"), (parts, separator) => {
        const path = parts.join(separator);
        if (whyNoPath(path) !== undefined) return;
        expect(resolve("/base", path).startsWith(`/base${sep}`)).toBe(true);
        expect(path).not.toMatch(/[\p{C}\\:]/u);
      }),
      { numRuns: 500 },
    );
  });
});
