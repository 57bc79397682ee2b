import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numberFileName, toSafeFileName } from "../../src/core/safe-file-name.ts";
import { parseWorkspacePath } from "../../src/workspace/parse-workspace-path.ts";

describe("toSafeFileName", () => {
  it.each([
    ["notes.txt", "notes.txt"],
    ["会议 记录（终）.docx", "会议 记录（终）.docx"],
    ["日本語ファイル.pdf", "日本語ファイル.pdf"],
    ["../../../etc/passwd", "_._._etc_passwd"],
    ["..\\..\\boot.ini", "_._boot.ini"],
    ["C:\\Windows\\x.exe", "C__Windows_x.exe"],
    ["/etc/shadow", "_etc_shadow"],
    ["．．／etc", "_etc"],
    ["a∕b⁄c", "a∕b⁄c"],
    [".env", "env"],
    [".git", "git"],
    ["...", "file"],
    ["", "file"],
    ["\u0000\u202E\u200B", "file"],
    ["~root.txt", "root.txt"],
    ["-rf.txt", "rf.txt"],
    ["CON", "_CON"],
    ["nul.tar.gz", "_nul.tar.gz"],
    ["com1.txt", "_com1.txt"],
    ["console.log", "console.log"],
    ["照\u202Egpj.exe", "照gpj.exe"],
    ["a\nb\tc.txt", "abc.txt"],
    ["a%2e%2e%2fb", "a_2e_2e_2fb"],
    ["x.txt. . ", "x.txt"],
    ['what?*<>|".md', "what______.md"],
    ["half\uD83D.txt", "half\uFFFD.txt"],
  ])("%j becomes %j", (given, name) => {
    expect(toSafeFileName(given, "file")).toBe(name);
  });

  it("cuts by whole characters and keeps the extension", () => {
    const name = toSafeFileName(`${"字".repeat(255)}.pdf`, "file");
    expect(name).toBe(`${"字".repeat(65)}.pdf`);
    expect(toSafeFileName(`${"e\u0301".repeat(200)}.txt`, "file").isWellFormed()).toBe(true);
    expect(Buffer.byteLength(toSafeFileName("x".repeat(500), "file"))).toBe(200);
    expect(toSafeFileName(`a.${"b".repeat(300)}`, "file")).toHaveLength(200);
  });

  it("answers one name of a workspace, whatever it is given, and takes its own answer as it is", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.string({ unit: "grapheme", maxLength: 400 }),
      fc
        .array(fc.constantFrom("..", "/", "\\", "．", "／", "%2e", "~", ".", " ", "con", "\u202E", "字", "a"), {
          maxLength: 40,
        })
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(anything, (given) => {
        const name = toSafeFileName(given, "file");
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        expect(name).not.toMatch(/^[.\s~-]|[/\\:\p{C}]|[.\s]$|\.\./u);
        expect(parseWorkspacePath(`inbox/${name}`)).toEqual({
          ok: true,
          parts: ["inbox", name],
          relative: `inbox/${name}`,
        });
        expect(toSafeFileName(name, "file")).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("numberFileName", () => {
  it.each([
    ["notes.txt", 1, "notes.txt"],
    ["notes.txt", 2, "notes (2).txt"],
    ["a.tar.gz", 3, "a.tar (3).gz"],
    ["README", 2, "README (2)"],
  ])("%s, %i: %s", (name, number, expected) => {
    expect(numberFileName(name, number)).toBe(expected);
  });
});
