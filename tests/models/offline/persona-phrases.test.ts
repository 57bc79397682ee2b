import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { offlinePhrasesSchema } from "../../../src/models/offline/phrases.ts";

const folder = new URL("../../../config/personas/", import.meta.url);

test("the offline words of every persona that ships have known keys and placeholders", async () => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(names).toContain("kurisu");
  for (const name of names) {
    const persona = parse(await readFile(new URL(`${name}/persona.yaml`, folder), "utf8")) as { offline?: unknown };
    const checked = offlinePhrasesSchema.safeParse(persona.offline ?? {});
    expect({ name, faults: checked.error?.issues ?? [] }).toEqual({ name, faults: [] });
  }
});
