import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeyArgumentReader } from "../../../src/kernel/agent/key-argument-reader.ts";

/** What is shown after each piece. */
function read(name: string, ...pieces: readonly string[]): readonly string[] {
  const reader = createKeyArgumentReader(name);
  return pieces.map((piece) => {
    reader.add(piece);
    return reader.shown();
  });
}

describe("a key argument that is still being written", () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    ["grows word by word", "command", ['{"comm', 'and": "ls -l', "a src", '", "t'], ["", "ls", "ls -la", "ls -la src"]],
    [
      "is whole at its closing mark",
      "path",
      ['{"path":"notes/a.txt', '"', ',"content":"x'],
      ["", "notes/a.txt", "notes/a.txt"],
    ],
    ["does not show the beginning of a word", "command", ['{"command":"curl -H sk-abcdefghijkl'], ["curl -H"]],
    [
      "stands after other members",
      "path",
      ['{"content":"\\"path\\":\\"no\\" ', '","n":[{"path":"no"},1],"path":"yes"}'],
      ["", "yes"],
    ],
    ["is not one of an inner object", "path", ['{"inner":{"path":"no"},"list":["path",":","no"]}'], [""]],
    ["is not a value of that name", "path", ['{"name":"path","other":"no"}'], [""]],
    ["is not one of a name that only begins so", "path", ['{"path2":"no"}'], [""]],
    ["is nothing once there are two", "path", ['{"path":"a"', ',"path":"b"}'], ["a", ""]],
    ["is nothing once there are two, one of them no text", "path", ['{"path":{"x":"y"},"path":"b"}'], [""]],
    ["is nothing once there are two, one written otherwise", "path", ['{"path":"a","p\\u0061th":"b"}'], [""]],
    [
      "is whole behind other members of any length",
      "path",
      [`{"path":"a","content":"${'\\\\"path'.repeat(9)}"}`],
      ["a"],
    ],
    ["is nothing when it is no text", "path", ['{"path":12,"other":"no"}'], [""]],
    ["is nothing in a list", "path", ['["path","no"]'], [""]],
    ["is nothing when there is no JSON", "path", ['path: "no"'], [""]],
    [
      "reads escapes, also cut ones",
      "query",
      ['{"query":"a\\', "n\\u4", "f60 \\", '"b\\\\\\/ "}'],
      ["", "a", "a\n你", 'a\n你 "b\\/'],
    ],
    ["puts the halves of a character together", "query", ['{"query":"\\ud83d', '\\ude00"}'], ["", "😀"]],
    ["does not show half a character", "query", ['{"query":"\\ud83d"}'], ["\uFFFD"]],
  ])("%s", (_, name, pieces, shown) => {
    expect(read(name, ...pieces)).toEqual(shown);
  });

  it("the reader cuts a long argument at the end of a word", () => {
    const [shown = ""] = read("command", JSON.stringify({ command: `${"word ".repeat(200)}end` }));
    expect(shown).toMatch(/^(?:word )*word$/);
    expect(shown.length).toBeLessThan(400);
    expect(read("command", JSON.stringify({ command: "x".repeat(1_000) }))).toEqual([""]);
  });

  it("the reader shows a beginning of the text, and in the end all of it, wherever the JSON is cut", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 80 });
    const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, cuts, fc.boolean(), (value, other, places, isFirst) => {
        const json = JSON.stringify(isFirst ? { query: value, other } : { other, query: value });
        const ends = [...places.filter((place) => place < json.length), json.length].toSorted((a, b) => a - b);
        const pieces = ends.map((end, index) => json.slice(ends[index - 1] ?? 0, end));
        const shown = read("query", ...pieces);
        for (const one of shown) {
          expect(value.trim().startsWith(one)).toBe(true);
          // Never the beginning of a word that goes on.
          expect(/^(?:\s|$)/.test(value.trim().slice(one.length)) || one === "").toBe(true);
        }
        expect(shown.at(-1)).toBe(value.toWellFormed().trim());
      }),
      { numRuns: 1_000 },
    );
  });
});
