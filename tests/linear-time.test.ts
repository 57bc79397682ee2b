// full: times every reader of text
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findGrowth } from "./support/pump/find-growth.ts";
import { createPumpRunner } from "./support/pump/pump-reader.ts";
import { exempt } from "./support/pump/exempt.ts";
import { listReaders, listUnits, scanModules } from "./support/pump/scan-modules.ts";

// A reader that takes its text for a path would write where it stands.
const before = process.cwd();
process.chdir(mkdtempSync(join(tmpdir(), "kurisu-pump-")));
const modules = scanModules(join(import.meta.dirname, "../src"));
const runner = createPumpRunner();
const known = await runner.listKnown();
const folder = process.cwd();
afterAll(async () => {
  await runner.end();
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const isExempt = (place: string): boolean =>
  Object.keys(exempt).some((start) => place === start || (!start.includes(" ") && place.startsWith(start)));

const readers = modules.flatMap(({ path, source, readers: own }) => [
  ...own
    .filter(({ name }) => !isExempt(path) && !isExempt(`${path} ${name}`))
    .map((reader) => ({ path, source, ...reader })),
  ...(known.has(path) ? [{ path, source, name: undefined, more: 0 }] : []),
]);

describe("a text that is made to be slow takes no more than about its length:", () => {
  // One case for each room: a process is busy with hundreds of readers, and few of them are worth a line.
  const rooms = Map.groupBy(readers, ({ path }) => path.split("/").slice(0, 2).join("/"));
  it.each([...rooms.keys()])("%s", async (room) => {
    const slow: string[] = [];
    for (const { path, name, source } of rooms.get(room) ?? []) {
      const found = await runner.pump({ path, ...(name !== undefined && { name }), units: listUnits(source) });
      slow.push(...found.map((what) => `${path} ${name ?? ""}: ${what}`));
    }
    expect(slow).toEqual([]);
  });
});

describe("nothing that reads text is left out:", () => {
  it("each module that holds an expression is pumped or says why not", () => {
    const left = modules.filter(({ path }) => !isExempt(path) && !readers.some((reader) => reader.path === path));
    expect(
      left.map(
        ({ path }) =>
          `${path} holds a regular expression: give it an adapter in tests/support/pump/readers.ts, or a reason in exempt.ts`,
      ),
    ).toEqual([]);
  });

  it("each reader that takes more than a text is given it", () => {
    const left = readers.filter(({ name, more }) => name !== undefined && more > 0 && !known.has(name));
    expect(
      left.map(
        ({ path, name }) => `${path} ${name}: say in furtherArguments of tests/support/pump/readers.ts what it takes`,
      ),
    ).toEqual([]);
  });

  it("no exemption and no adapter is of something that is gone", () => {
    const places = modules.flatMap(({ path, readers: own }) => [path, ...own.map(({ name }) => `${path} ${name}`)]);
    const listed = [...Object.keys(exempt), ...[...known].filter((one) => one.includes("/"))];
    const gone = listed.filter((start) => !places.some((one) => one.startsWith(start)));
    expect(gone).toEqual([]);
  });

  it("a new module's readers are seen, and how much they take", () => {
    const source = `export function a(text: string, limit = 3): string {}
export async function b(text: string, language: Language): string {}
export const c = (text: string): string => text;
export function d(count: number): string {}`;
    expect(listReaders(source)).toEqual([
      { name: "a", more: 0 },
      { name: "b", more: 1 },
      { name: "c", more: 0 },
    ]);
  });
});

describe("the pump", () => {
  it.each<[string, string, (text: string) => unknown]>([
    ["a trim at the end", " ", (text) => text.replace(/\s+$/, "")],
    ["a pair that never closes", "「", (text) => text.replace(/「[^」]*」/g, "")],
    ["alternatives that are the same", "a", (text) => /^(?:a|a)+b$/.test(text.slice(0, 30))],
  ])("finds %s", (_, unit, read) => {
    expect(findGrowth((text) => read(text.repeat(2)), [unit])).not.toEqual([]);
  });

  it("lets pass what costs much for each character", () => {
    const read = (text: string) => Array.from(text, (character) => character.repeat(300).split("")).length;
    expect(findGrowth(read, ["a"])).toEqual([]);
  });
});
