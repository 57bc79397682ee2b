import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { environmentNames } from "../../src/config/environment.ts";
import { formatJsonSchema, systemFileNames } from "../../src/config/system-files.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const command = "node scripts/node.mjs scripts/config-schema.mjs";

describe.each(systemFileNames)("config/system/%s.yaml", (name) => {
  it("the committed JSON Schema for editors is up to date", () => {
    const committed = read(`config/schema/${name}.schema.json`);
    expect(committed === formatJsonSchema(name), `config/schema is stale; run: ${command}`).toBe(true);
  });

  it("names its schema in the first line", () => {
    const [first] = read(`config/system/${name}.yaml`).split("\n");
    expect(first).toBe(`# yaml-language-server: $schema=../schema/${name}.schema.json`);
  });

  it("docs/configuration.md explains each key", () => {
    const section =
      read("docs/configuration.md")
        .split(/^## /m)
        .find((part) => part.startsWith(`${name}.yaml`)) ?? "";
    const keys = listKeys(JSON.parse(formatJsonSchema(name)) as JsonSchema);
    expect(section).not.toBe("");
    expect(keys.filter((key) => !section.includes(`\`${key}\``))).toEqual([]);
  });
});

describe("config/agents/<id>.yaml", () => {
  it("the committed JSON Schema is up to date, and docs/configuration.md explains each key", () => {
    const committed = read("config/schema/agent.schema.json");
    expect(committed === formatJsonSchema("agent"), `config/schema is stale; run: ${command}`).toBe(true);
    const [, section = ""] = read("docs/configuration.md").split("## Sub-agents");
    const keys = listKeys(JSON.parse(committed) as JsonSchema);
    expect(keys.filter((key) => !section.includes(`\`${key}\``))).toEqual([]);
  });
});

describe("docs/configuration.md", () => {
  it("explains every environment variable", () => {
    const text = read("docs/configuration.md");
    expect(environmentNames.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
}

/** Dotted paths of all keys; the name of a tool or an agent is written NAME, and lists add nothing. */
function listKeys(schema: JsonSchema, path: readonly string[] = []): string[] {
  const children = Object.entries(schema.properties ?? {});
  if (typeof schema.additionalProperties === "object") children.push(["NAME", schema.additionalProperties]);
  const below = children.flatMap(([key, child]) => {
    // The section `sandbox:` of tools.yaml has the keys of sandbox.yaml, explained there.
    const inner = key === "sandbox" && path.length === 0 ? [] : listKeys(child, [...path, key]);
    return inner.length > 0 ? inner : [[...path, key].join(".")];
  });
  return schema.items === undefined ? below : [...below, ...listKeys(schema.items, path)];
}
