// node scripts/count-tests.mjs FOLDER: names what failed in the JSON reports of a CI run and prints `N passed, N failed, N skipped`.
// node scripts/count-tests.mjs --failed REPORT: the files of one report that failed, one a line.
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const nameOf = ({ name }) => relative(process.cwd(), name);
const withStatus = (result, status) => result.assertionResults.filter((test) => test.status === status);

/** The first line alone often hides the value that came: the difference below it is printed too, the stack is not. */
function brief(message = "") {
  return stripVTControlCharacters(message)
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s+at .*node_modules|^\s+at (?:process|async file:)/.test(line))
    .slice(0, 24)
    .join(" | ")
    .slice(0, 1200);
}

/** The second run of a file replaces the first. A test that passed only then is named: it is a fault, and not gone. */
function takeSecondRun(results, second) {
  return results.map((first) => {
    const again = second.find(({ name }) => name === first.name);
    if (again === undefined) return first;
    const stillFail = new Set(withStatus(again, "failed").map(({ fullName }) => fullName));
    for (const test of withStatus(first, "failed").filter(({ fullName }) => !stillFail.has(fullName)))
      console.error(`UNSTEADY: ${nameOf(first)} > ${test.fullName}: ${brief(test.failureMessages[0])}`);
    return again;
  });
}

/** A report that is missing counts as one failure, and so does a file that did not load. */
function count(folder, name) {
  const path = join(folder, `${name}.json`);
  const sum = { passed: 0, failed: 0, skipped: 0 };
  if (!existsSync(path)) {
    console.error(`FAILED: ${name} left no report`);
    return { ...sum, failed: 1 };
  }
  const again = join(folder, `${name}-again.json`);
  for (const result of takeSecondRun(read(path).testResults, existsSync(again) ? read(again).testResults : [])) {
    const failed = withStatus(result, "failed");
    const isBroken = result.status === "failed" && failed.length === 0;
    if (isBroken) console.error(`FAILED: ${nameOf(result)}: ${brief(result.message)}`);
    for (const test of failed)
      console.error(`FAILED: ${nameOf(result)} > ${test.fullName}: ${brief(test.failureMessages[0])}`);
    sum.passed += withStatus(result, "passed").length;
    sum.failed += failed.length + Number(isBroken);
    sum.skipped += ["pending", "skipped", "todo"].flatMap((status) => withStatus(result, status)).length;
  }
  return sum;
}

const tell = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

function countAll(folder) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const name of ["checkpoints", "quick", "rest"]) {
    if (name === "checkpoints" && !existsSync("tests/checkpoint-validation/package.json")) continue;
    const sum = count(folder, name);
    const timed = join(folder, `${name}.seconds`);
    console.error(`${name}: ${tell(sum)}${existsSync(timed) ? ` in ${readFileSync(timed, "utf8").trim()} s` : ""}`);
    for (const key of Object.keys(total)) total[key] += sum[key];
  }
  console.log(tell(total));
}

const [first, second] = process.argv.slice(2);
if (first === "--failed") {
  const failed = read(second).testResults.filter(({ status }) => status === "failed");
  if (failed.length > 0) console.log(failed.map(nameOf).join("\n"));
} else countAll(first);
