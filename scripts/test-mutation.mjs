// npm run test:mutation [-- gate|grammar|binding|path|fetch|FILE …]: takes the statements of the trust core apart one by one
// (tests/mutation/trust-core.ts) and counts what no test notices. Under 95 % of those asked for is a failure.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { trustCore } from "../tests/mutation/trust-core.ts";

const least = 95;
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = `${root}tests/mutation`;
const stryker = `${folder}/node_modules/@stryker-mutator/core/bin/stryker.js`;

function run(command, given, cwd, env = {}) {
  const { status } = spawnSync(command, given, { cwd, stdio: "inherit", env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}

const asked = process.argv.slice(2);
const chosen = Object.entries(trustCore).flatMap(([part, files]) =>
  Object.entries(files)
    .filter(([file]) => asked.length === 0 || asked.includes(part) || asked.includes(file))
    .map(([file, tests]) => ({ part, file, tests })),
);
if (chosen.length === 0) {
  console.error(`Nothing of the trust core is called ${asked.join(" ")}. It has ${Object.keys(trustCore).join(", ")}.`);
  process.exit(64);
}

/** A test that is gone would only make the figure worse; a file that is gone would make it better. */
function requireFiles({ file, tests }) {
  const gone = [file, ...tests].filter((one) => !existsSync(`${root}${one}`));
  if (gone.length === 0) return;
  console.error(`${gone.join(", ")}: named by tests/mutation/trust-core.ts, and not there.`);
  process.exit(66);
}

function measure({ part, file, tests }) {
  const report = `reports/mutation/${file.replaceAll("/", "-")}.json`;
  console.log(`${file} (${part})`);
  const env = { MUTATION_TESTS: tests.join(","), MUTATION_REPORT: report };
  run(process.execPath, [stryker, "run", "tests/mutation/stryker.config.mjs", "--mutate", file], root, env);
  const { files } = JSON.parse(readFileSync(`${root}${report}`, "utf8"));
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted) => states.filter((state) => wanted.includes(state)).length;
  const found = count("Killed", "Timeout");
  return { part, file, faults: found + count("Survived", "NoCoverage"), found, timeouts: count("Timeout") };
}

const percent = ({ found, faults }) => (faults === 0 ? 100 : (found * 100) / faults).toFixed(1);

if (!existsSync(stryker)) run("npm", ["ci", "--ignore-scripts", "--loglevel=error"], folder);
mkdirSync(`${root}reports/mutation`, { recursive: true });
for (const one of chosen) requireFiles(one);
const measured = chosen.map(measure);
const total = measured.reduce((sum, { faults, found }) => ({ faults: sum.faults + faults, found: sum.found + found }), {
  faults: 0,
  found: 0,
});
console.log("| part | file | faults | found | of them by time-out | % |\n|---|---|---|---|---|---|");
for (const one of measured)
  console.log(`| ${one.part} | \`${one.file}\` | ${one.faults} | ${one.found} | ${one.timeouts} | ${percent(one)} |`);
console.log(`| all | | ${total.faults} | ${total.found} | | ${percent(total)} |`);
process.exit(percent(total) >= least ? 0 : 1);
