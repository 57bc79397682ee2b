// node scripts/node.mjs scripts/config-schema.mjs
// Writes config/schema/<name>.schema.json, which editors check config/system/<name>.yaml, config/agents/<id>.yaml and
// config/mcp.json with.
import { mkdirSync, writeFileSync } from "node:fs";
import { formatJsonSchema, schemaNames } from "../src/config/system-files.ts";

const folder = new URL("../config/schema/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const name of schemaNames) writeFileSync(new URL(`${name}.schema.json`, folder), formatJsonSchema(name));
console.log(`config/schema: ${schemaNames.length} files written`);
