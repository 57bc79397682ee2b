import * as fc from "fast-check";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { parseWorkspacePath } from "../../../src/tools/workspace/parse-workspace-path.ts";

const good: [string, string][] = [
  ["notes.md", "notes.md"],
  ["a/b/c.txt", "a/b/c.txt"],
  ["./a//b/./c", "a/b/c"],
  ["/workspace/a.txt", "a.txt"],
  ["/workspace", "."],
  ["/workspace/", "."],
  [".", "."],
  ["实验记录/第一天.txt", "实验记录/第一天.txt"],
  [".hidden", ".hidden"],
  ["a..b/c...d", "a..b/c...d"],
  ["with space.txt", "with space.txt"],
  ["👩‍🔬.txt", "👩‍🔬.txt"],
];

const bad = [
  "",
  "..",
  "../x",
  "a/../b",
  "a/..",
  "/etc/passwd",
  "//etc/passwd",
  "/workspacex/a",
  "/workspace/../etc/passwd",
  "/workspace//etc/../../x",
  "~/.ssh/id_rsa",
  "~root",
  "C:\\Windows",
  "c:/Windows",
  "a\\..\\b",
  "file:///etc/passwd",
  "a.txt::$DATA",
  "a\0b",
  "a\nb",
  "a\u007f",
  "a\u0085b",
  "%2e%2e/x",
  "a%2Fb",
  "a%5cb",
  "\uFF0E\uFF0E/x",
  "\u2025/x",
  "a\uFF0Fb",
  "a\uFF3Cb",
  "a\u202Etxt.exe",
  "a\u2028b",
  "a\uD800",
  ".git/hooks/pre-commit",
  "x/.ENV",
  ".ssh/config",
  "x".repeat(256),
  "研".repeat(86),
  `${"a/".repeat(600)}b`,
];

const piece = fc.constantFrom(
  "a",
  "b.txt",
  ".",
  "..",
  "/",
  "//",
  "/workspace",
  "\\",
  "\0",
  "~",
  ":",
  "％",
  "．",
  "／",
  "%2e",
  "研",
  " ",
  "…",
);
const anyPath = fc.oneof(
  fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join("")),
  fc
    .array(fc.oneof(piece, fc.string({ unit: "grapheme", maxLength: 6 })), { maxLength: 8 })
    .map((pieces) => pieces.join("/")),
  fc.string({ unit: "binary", maxLength: 40 }),
);

describe("the path resolver's first half", () => {
  it.each(good)("takes %j", (path, relative) => {
    expect(parseWorkspacePath(path)).toMatchObject({ ok: true, relative });
  });

  it.each(bad)("refuses %j with a sentence", (path) => {
    expect(parseWorkspacePath(path)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^The path .*\. Use a path/s),
    });
  });

  it("lets nothing through that another resolver would put outside", () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const parsed = parseWorkspacePath(path);
        if (!parsed.ok) return;
        // Independent: resolve by Node's rules, as written and as a careless reader could normalise or decode it.
        const readings = [path, path.normalize("NFKC"), path.replaceAll("\\", "/")];
        for (const reading of readings) {
          const resolved = posix.resolve("/workspace", reading);
          expect(resolved === "/workspace" || resolved.startsWith("/workspace/")).toBe(true);
        }
        expect(posix.resolve("/workspace", path)).toBe(posix.join("/workspace", parsed.relative).replace(/\/$/, ""));
        for (const part of parsed.parts) expect(part).toMatch(/^(?!\.{1,2}$)[^/\\\0]+$/u);
        expect(parseWorkspacePath(parsed.relative)).toEqual(parsed);
      }),
      { numRuns: 2000 },
    );
  });
});
