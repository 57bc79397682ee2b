// node scripts/node.mjs scripts/config-schema.mjs
// Writes config/schema/<name>.schema.json, which editors check config/system/<name>.yaml, config/agents/<id>.yaml and
// config/mcp.json with, and docs/reference/options.md, the tables of all keys and environment variables.
import { mkdirSync, writeFileSync } from "node:fs";
import { formatOptionsPage } from "../src/config/format-options-page.ts";
import { formatJsonSchema, schemaNames } from "../src/config/system-files.ts";

const folder = new URL("../config/schema/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const name of schemaNames) writeFileSync(new URL(`${name}.schema.json`, folder), formatJsonSchema(name));
const reference = new URL("../docs/reference/", import.meta.url);
mkdirSync(reference, { recursive: true });
writeFileSync(new URL("options.md", reference), formatOptionsPage());
console.log(`config/schema: ${schemaNames.length} files written; docs/reference/options.md written`);
