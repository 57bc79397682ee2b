import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { formatJsonSchema } from "../../src/config/system-files.ts";

const root = join(import.meta.dirname, "../..");

it("config/mcp.json has an up-to-date JSON Schema for editors, and each key of a server explained in docs/mcp.md", () => {
  const committed = readFileSync(join(root, "config/schema/mcp.schema.json"), "utf8");
  expect(committed === formatJsonSchema("mcp"), "stale; run: node scripts/node.mjs scripts/config-schema.mjs").toBe(
    true,
  );
  const schema = JSON.parse(committed) as {
    readonly properties: { readonly mcpServers: { readonly additionalProperties: { readonly properties: object } } };
  };
  const keys = Object.keys(schema.properties.mcpServers.additionalProperties.properties);
  const docs = readFileSync(join(root, "docs/mcp.md"), "utf8");
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.filter((key) => !docs.includes(`\`${key}\``))).toEqual([]);
});
