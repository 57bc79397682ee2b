import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { environmentGroups, environmentNames } from "../../src/config/environment.ts";
import { formatOptionsPage, listOptions, listVariables } from "../../src/config/format-options-page.ts";
import { formatJsonSchema, schemaNames, systemFileNames } from "../../src/config/system-files.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const command = "node scripts/node.mjs scripts/config-schema.mjs";

describe.each(schemaNames)("the schema %s", (name) => {
  it("the committed JSON Schema for editors is up to date", () => {
    const committed = read(`config/schema/${name}.schema.json`);
    expect(committed === formatJsonSchema(name), `config/schema is stale; run: ${command}`).toBe(true);
  });

  it("the schema describes each key", () => {
    const rows = listOptions(name);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ meaning }) => meaning === "").map(({ key }) => key)).toEqual([]);
  });
});

it.each(systemFileNames)("config/system/%s.yaml names its schema in the first line", (name) => {
  const [first] = read(`config/system/${name}.yaml`).split("\n");
  expect(first).toBe(`# yaml-language-server: $schema=../schema/${name}.schema.json`);
});

describe("docs/reference/options.md", () => {
  it("the page is what the schemas give", () => {
    const isCurrent = read("docs/reference/options.md") === formatOptionsPage();
    expect(isCurrent, `docs/reference/options.md is stale; run: ${command}`).toBe(true);
  });

  it("each environment variable has a description and a row of its own", () => {
    const rows = [...environmentGroups.values()].flatMap(listVariables);
    expect(rows.filter(({ meaning }) => meaning === "").map(({ key }) => key)).toEqual([]);
    expect(rows.map(({ key }) => key).toSorted()).toEqual(environmentNames.toSorted());
  });

  it("links only to pages of docs/, with the value and the default of a key", () => {
    const page = formatOptionsPage();
    expect(page).toContain("| `timeout` | time | `30s` | How long a command may run");
    expect(page).toContain("| `rules.level` | `safe`, `confirm`, `deny` | *needed* |");
    expect(page).toMatch(/^\| `cli\.enabled` \|.*\*Next start\.\* \|$/m);
    expect(page).not.toMatch(/[ (]docs\//);
  });
});
