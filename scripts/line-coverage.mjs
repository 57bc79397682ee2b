// node scripts/line-coverage.mjs PART[,PART…]=MIN …: line coverage in percent of the runs in coverage/PART/ taken together; 1 if one is below its MIN.
import { readFileSync } from "node:fs";

/** A line counts where a statement begins, and is covered if one that begins there ran. */
function readLines(part, lines) {
  const files = JSON.parse(readFileSync(`coverage/${part}/coverage-final.json`, "utf8"));
  for (const [path, { statementMap, s }] of Object.entries(files)) {
    for (const [id, { start }] of Object.entries(statementMap)) {
      const key = `${path}:${start.line}`;
      lines.set(key, lines.get(key) === true || s[id] > 0);
    }
  }
}

for (const wish of process.argv.slice(2)) {
  const [parts, min] = wish.split("=");
  const lines = new Map();
  for (const part of parts.split(",")) readLines(part, lines);
  const percent = ([...lines.values()].filter(Boolean).length * 100) / lines.size;
  console.log(`Line coverage of ${parts.replaceAll(",", " and ")}: ${percent.toFixed(2)} % (at least ${min} %)`);
  if (!(percent >= Number(min))) process.exitCode = 1;
}
