import { expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findParsed } from "../../src/core/parsed-yaml.ts";
import { listLoadedWith, measureFiles, readBundle } from "../support/built-bundle.ts";
import { listGrown } from "../support/bundle-sizes.ts";
import { program } from "../support/kurisu-process/spawn-kurisu.ts";

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

it("the program that every command loads is no larger than the table allows", () => {
  const main = files.find(
    ({ name, modules }) => name.startsWith("main-") && modules.some((one) => one.endsWith("src/main.ts")),
  );
  expect(listGrown("program", measureFiles(listLoadedWith(files, ["kurisu.mjs", main?.name ?? ""])))).toEqual([]);
});

it("the whole bundle is no larger than the table allows", () => {
  expect(listGrown("all", measureFiles(files))).toEqual([]);
});

it("the shipped persona lies beside the program as it was parsed", () => {
  const file = join(import.meta.dirname, "../../config/personas/kurisu/persona.yaml");
  const found = findParsed(readFileSync(file, "utf8"), dirname(program.at(-1) ?? ""));
  expect(found?.value).toMatchObject({ id: "kurisu" });
});
