import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { foldersGoOneWay, roomsAreEven, wordsAreStandard } from "./support/house-words.ts";
import { readSources, type SourceFile } from "./support/source-rules.ts";

const self = ["tests/house.test.ts", "tests/support/house-words.ts"];
const root = join(import.meta.dirname, "..");
const files = readSources(root, ["src", "tests", "bench"]).filter(({ path }) => !self.includes(path));
const file = (path: string, text: string): SourceFile => ({ path, text });

describe("the names", () => {
  it("are the field's words", () => {
    expect(wordsAreStandard(files)).toEqual([]);
  });

  it.each([
    file("src/kernel/in-hand.ts", ""),
    file("src/kernel/a.ts", "const held: TurnHold = await requireHold(tx);"),
    file("tests/kernel/a.test.ts", "createSkillLibrary([])"),
  ])("are found where they are not: $path", (bad) => {
    expect(wordsAreStandard([bad])).not.toEqual([]);
  });

  it("may be anything in texts and comments", () => {
    expect(wordsAreStandard([file("src/kernel/b.ts", 'say("the ruling of a fate"); // a ruling')])).toEqual([]);
  });
});

it("shows at its top what the product is made of, and nothing else", () => {
  const odd = readdirSync(root).filter((name) => !/^\.?[\w-]+(?:\.[\w-]+)*$/.test(name));
  expect(odd).toEqual([]);
});

describe("the rooms", () => {
  it("have no two folders that import each other", () => {
    expect(foldersGoOneWay(files)).toEqual([]);
  });

  it("are told when two folders import each other, types and later imports included", () => {
    const down = file("src/store/queries/a.ts", 'import { x } from "../b.ts";');
    const up = file("src/store/b.ts", 'const later = import("./queries/a.ts");');
    expect(foldersGoOneWay([down, up])).toHaveLength(2);
    expect(foldersGoOneWay([down, file("src/store/b.ts", 'import type { C } from "./c.ts";')])).toEqual([]);
    expect(foldersGoOneWay([down, file("src/store/engines/c.ts", 'import { a } from "../queries/a.ts";')])).toEqual([]);
  });

  it("hold at most a fifth of the code each", () => {
    expect(roomsAreEven(files)).toEqual([]);
  });

  it("are told when one holds more", () => {
    const rooms = ["core", "store", "models", "tools"].map((room) => file(`src/${room}/a.ts`, "x\n".repeat(9)));
    expect(roomsAreEven([...rooms, file("src/kernel/a.ts", "x\n".repeat(9))])).toEqual([]);
    expect(roomsAreEven([...rooms, file("src/kernel/a.ts", "x\n".repeat(19))])).toHaveLength(1);
  });
});
