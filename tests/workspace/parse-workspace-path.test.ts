import { describe, expect, it } from "vitest";
import { parseWorkspacePath } from "../../src/workspace/parse-workspace-path.ts";

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
  ["a/~", "a/~"],
  ["100%", "100%"],
  [".gitignore", ".gitignore"],
  ["x".repeat(255), "x".repeat(255)],
  ["a/".repeat(511) + "bb", "a/".repeat(511) + "bb"],
];

const dots = 'contains ".."';
const absolute = "is absolute";
const tilde = "begins with a tilde";
const foreign = "contains a backslash or a colon";
const control = "contains control characters";
const hidden = "contains marks that hide its real order";
const encoded = "contains an encoded dot or slash";
const lookalike = "contains characters that look like dots or slashes";
const long = "has a name longer than 255 bytes";

const bad: readonly [string, string][] = [
  ["", "is empty"],
  ["..", dots],
  ["../x", dots],
  ["a/../b", dots],
  ["a/..", dots],
  ["/etc/passwd", absolute],
  ["//etc/passwd", absolute],
  ["/workspacex/a", absolute],
  ["/workspace/../etc/passwd", dots],
  ["/workspace//etc/../../x", absolute],
  ["~/.ssh/id_rsa", tilde],
  ["~root", tilde],
  ["/workspace/~root", tilde],
  ["C:\\Windows", foreign],
  ["c:/Windows", foreign],
  ["a\\..\\b", foreign],
  ["file:///etc/passwd", foreign],
  ["a.txt::$DATA", foreign],
  ["a\0b", control],
  ["a\nb", control],
  ["a\u007f", control],
  ["a\u0085b", control],
  ["a\u2028b", control],
  ["a\u2029b", control],
  ["a\uD800", control],
  ["%2e%2e/x", encoded],
  ["a%2Fb", encoded],
  ["a%5cb", encoded],
  ["a%00b", encoded],
  ["\uFF0E\uFF0E/x", lookalike],
  ["\u2025/x", lookalike],
  ["a\uFF0Fb", lookalike],
  ["a\uFF3Cb", lookalike],
  ["a\u202Etxt.exe", hidden],
  ["a\u202ab", hidden],
  ["a\u061cb", hidden],
  ["a\u200eb", hidden],
  ["a\u200fb", hidden],
  ["a\u2066b", hidden],
  ["a\u2069b", hidden],
  [".git/hooks/pre-commit", "leads to .git, which file tools leave alone"],
  ["x/.ENV", "leads to .ENV, which file tools leave alone"],
  [".ssh/config", "leads to .ssh, which file tools leave alone"],
  ["x/.g\u00adit", "leads to .g\u00adit, which file tools leave alone"],
  ["x/.ｇit/y", "leads to .ｇit, which file tools leave alone"],
  ["x".repeat(256), long],
  [`a/${"x".repeat(256)}`, long],
  ["研".repeat(86), long],
  [`${"a/".repeat(512)}b`, "is longer than 1024 characters"],
];

describe("the path resolver's first half", () => {
  it.each(good)("takes %j", (path, relative) => {
    expect(parseWorkspacePath(path)).toMatchObject({ ok: true, relative });
  });

  it.each(bad)("refuses %j: it %s", (path, reason) => {
    expect(parseWorkspacePath(path)).toEqual({
      ok: false,
      error: `The path ${reason}. Use a path relative to the workspace, such as notes/today.md.`,
    });
  });

  it("the workspace itself has no parts", () => {
    for (const path of [".", "/workspace", "/workspace/./"]) {
      expect(parseWorkspacePath(path)).toEqual({ ok: true, parts: [], relative: "." });
    }
    expect(parseWorkspacePath("/workspace/a//b")).toEqual({ ok: true, parts: ["a", "b"], relative: "a/b" });
  });
});
