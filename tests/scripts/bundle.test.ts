import { expect, it } from "vitest";
import { readBundle } from "../support/built-bundle.ts";

const files = readBundle();

it("every file of the bundle is ASCII, because V8 takes two bytes a character for any other", () => {
  const others = files.filter(({ content }) => content.some((byte) => byte > 127)).map(({ name }) => name);
  expect(others).toEqual([]);
});

it("no module is in two files of the bundle", () => {
  const holders = Map.groupBy(
    files.flatMap(({ name, modules }) => modules.map((module) => ({ name, module }))),
    ({ module }) => module,
  );
  expect(holders.size).toBeGreaterThan(2000);
  expect([...holders].filter(([, held]) => held.length > 1)).toEqual([]);
});
