import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { foldersGoOneWay, roomsAreEven, wordsAreStandard } from "./support/house-words.ts";
import { readSources, type SourceFile } from "./support/source-rules.ts";

const self = ["tests/house.test.ts", "tests/support/house-words.ts"];
const root = join(import.meta.dirname, "..");
const files = readSources(root, ["src", "tests", "bench", "examples"]).filter(({ path }) => !self.includes(path));
const file = (path: string, text: string): SourceFile => ({ path, text });

describe("the names", () => {
  it("the code uses only the field's words for names", () => {
    expect(wordsAreStandard(files)).toEqual([]);
  });

  it.each([
    file("src/kernel/in-hand.ts", ""),
    file("src/kernel/a.ts", "const held: TurnHold = await requireHold(tx);"),
    file("tests/kernel/a.test.ts", "createSkillLibrary([])"),
  ])("the check finds another word: $path", (bad) => {
    expect(wordsAreStandard([bad])).not.toEqual([]);
  });

  it("the check allows any word in texts and comments", () => {
    expect(wordsAreStandard([file("src/kernel/b.ts", 'say("the ruling of a fate"); // a ruling')])).toEqual([]);
  });
});

it("shows at its top what the product is made of, and nothing else", () => {
  const odd = readdirSync(root).filter((name) => !/^\.?[\w-]+(?:\.[\w-]+)*$/.test(name));
  expect(odd).toEqual([]);
});

describe("the rooms", () => {
  it("no two folders of a room import each other", () => {
    expect(foldersGoOneWay(files)).toEqual([]);
  });

  it("the check reports two folders that import each other, types and later imports included", () => {
    const down = file("src/store/queries/a.ts", 'import { x } from "../b.ts";');
    const up = file("src/store/b.ts", 'const later = import("./queries/a.ts");');
    expect(foldersGoOneWay([down, up])).toHaveLength(2);
    expect(foldersGoOneWay([down, file("src/store/b.ts", 'import type { C } from "./c.ts";')])).toEqual([]);
    expect(foldersGoOneWay([down, file("src/store/engines/c.ts", 'import { a } from "../queries/a.ts";')])).toEqual([]);
  });

  it("hold at most a fifth of the code each", () => {
    expect(roomsAreEven(files)).toEqual([]);
  });

  it("the check reports a room that is far larger than the others", () => {
    const rooms = ["core", "store", "models", "tools"].map((room) => file(`src/${room}/a.ts`, "x\n".repeat(9)));
    expect(roomsAreEven([...rooms, file("src/kernel/a.ts", "x\n".repeat(9))])).toEqual([]);
    expect(roomsAreEven([...rooms, file("src/kernel/a.ts", "x\n".repeat(19))])).toHaveLength(1);
  });
});
