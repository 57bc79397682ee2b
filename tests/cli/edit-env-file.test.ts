import { parseEnv } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editEnvFile, isWritable } from "../../src/cli/setup/edit-env-file.ts";

const edit = (text: string, changes: Readonly<Record<string, string | undefined>>) =>
  editEnvFile(text, new Map(Object.entries(changes)));

describe("a .env that is edited", () => {
  it.each<readonly [string, string, Readonly<Record<string, string | undefined>>, string]>([
    ["is new", "", { A: "1", B: "two words" }, "A=1\nB='two words'\n"],
    ["is left alone", "# x\nA=1", {}, "# x\nA=1"],
    ["changes in place", "# x\nA=1\nB=2\n", { A: "3" }, "# x\nA=3\nB=2\n"],
    ["keeps export and the comment behind", "  export A=1 # why\nB=2\n", { A: "3" }, "  export A=3 # why\nB=2\n"],
    ["takes the one that counts", "A=1\nA=2\n", { A: "3" }, "A=1\nA=3\n"],
    ["loses all of a name", "A=1\nB=2\nexport A='x\ny'\n#A=\n", { A: undefined }, "B=2\n#A=\n"],
    ["puts a new one behind its example", "#A=\n# b\nB=2\n", { A: "1" }, "#A=\nA=1\n# b\nB=2\n"],
    ["ends its last line", "B=2", { A: "1" }, "B=2\nA=1\n"],
    ["keeps the ends of lines of Windows", "B=2\r\n#A=x\r\n", { A: "1", B: "3" }, "B=3\r\n#A=x\r\nA=1\r\n"],
    ["sees no line inside quotes", "C='\nA=1\n'\n", { A: "2" }, "C='\nA=1\n'\nA=2\n"],
    ["quotes what a # would cut", "", { A: "a#b" }, "A='a#b'\n"],
    ["quotes a quote", "", { A: "it's" }, 'A="it\'s"\n'],
  ])("%s", (_, before, changes, after) => {
    expect(edit(before, changes)).toBe(after);
  });

  const name = fc.constantFrom("A", "B", "KEY", "LONG_NAME");
  const value = fc.string({ unit: "grapheme", maxLength: 12 }).filter(isWritable);
  const line = fc.oneof(
    fc.constantFrom("", "# words", "#KEY=", "words only", "OTHER=1", "OTHER = 'a # b' # c", 'Q="x\ny"', "  ", "E="),
    // Node takes `export A=` without a value for a variable of that whole name.
    fc
      .tuple(fc.constantFrom("", "export ", "  "), name, fc.constantFrom("1", "'q'", '"d" # c', "''", "a b"))
      .map((parts) => {
        const [before, named, written] = parts;
        return `${before}${named}=${written}`;
      }),
  );
  const file = fc
    .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
    .map(([lines, end, ends]) => lines.join(end) + (ends && lines.length > 0 ? end : ""));
  const changed = fc.dictionary(name, fc.option(value, { nil: undefined }), { noNullPrototype: true });

  it("sets what was answered, and every line of others stays byte for byte", () => {
    fc.assert(
      fc.property(file, changed, (before, changes) => {
        const after = edit(before, changes);
        const expected = { ...parseEnv(before) };
        for (const [key, to] of Object.entries(changes)) {
          if (to === undefined) delete expected[key];
          else expected[key] = to;
        }
        expect(parseEnv(after)).toEqual(expected);
        const foreign = (text: string) =>
          text
            .split(/\r?\n/)
            .filter((one) => !Object.keys(changes).some((key) => new RegExp(`^\\s*(?:export )?${key}=`).test(one)));
        expect(foreign(after).filter((one) => one !== "")).toEqual(foreign(before).filter((one) => one !== ""));
        expect(edit(after, changes), "once more changes nothing").toBe(after);
      }),
    );
  });
});
