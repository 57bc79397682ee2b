// node scripts/learn-models.mjs FOLDER   writes what the shipped sentences and replies teach, and the values of shipped YAML, beside the
// program that reads them there
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeParsed } from "../src/core/parsed-yaml.ts";
import { loadPersona } from "../src/core/persona/load-persona.ts";
import { readReplyTable } from "../src/core/persona/tone/reply-table.ts";
import { encodeTone, nameToneFile } from "../src/core/persona/tone/tone-judge.ts";
import { listOwnReplies } from "../src/core/persona/tone/tone-finder.ts";
import { buildModel, nameModelFile } from "../src/features/skills/matching/build-model.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node scripts/learn-models.mjs FOLDER");
  process.exit(78);
}
const config = fileURLToPath(new URL("../config", import.meta.url));

function write(name, bytes, mode) {
  const file = join(folder, name);
  writeFileSync(`${file}.new`, bytes, { mode });
  renameSync(`${file}.new`, file);
  console.log(file);
}

function readPersona(folder) {
  const loaded = loadPersona(folder, {});
  if (loaded.kind === "faulty") throw new Error(`${folder}: ${loaded.faults[0].problem}`);
  return loaded.persona;
}

function readReplies(file) {
  const table = readReplyTable(readFileSync(file, "utf8"));
  if (table.kind === "faulty") throw new Error(`${file}:${table.line} ${table.problem}`);
  return table.replies;
}

mkdirSync(folder, { recursive: true });
const source = { table: readFileSync(join(config, "skills", "sentences.tsv"), "utf8") };
write(nameModelFile(source), buildModel(source));

const personas = join(config, "personas");
const shipped = readReplies(join(personas, "replies.tsv"));
const tones = readdirSync(personas, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ shipped, own: listOwnReplies(readPersona(join(personas, name))) }));
// For personas of operators, until their own tone is learnt.
tones.push({ shipped, own: [] });
for (const tone of new Map(tones.map((one) => [nameToneFile(one), one])).values())
  write(nameToneFile(tone), encodeTone(tone));

// Content only: a setting may hold a secret. Users who may not read a file may not read its values either.
mkdirSync(join(folder, "parsed"), { recursive: true });
for (const path of globSync("{agents/*,personas/*/persona,skills/*/skill}.yaml", { cwd: config })) {
  const file = join(config, path);
  const parsed = describeParsed(readFileSync(file, "utf8"));
  if (parsed !== undefined) write(parsed.name, parsed.content, statSync(file).mode & 0o666);
}
