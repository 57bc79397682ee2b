// node scripts/skill-model.mjs FOLDER   writes what the shipped sentences teach, beside the program that reads it there
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildModel, nameModelFile } from "../src/skills/matching/build-model.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node scripts/skill-model.mjs FOLDER");
  process.exit(78);
}
const source = {
  table: readFileSync(fileURLToPath(new URL("../config/skills/sentences.tsv", import.meta.url)), "utf8"),
};
const file = join(folder, nameModelFile(source));
mkdirSync(folder, { recursive: true });
writeFileSync(`${file}.new`, buildModel(source));
renameSync(`${file}.new`, file);
console.log(file);
